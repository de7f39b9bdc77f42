#include "progress_bar.h"

#include "terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/// The one bar of the program: there is one terminal.
static struct
{
	bool isActive, isDrawn;
	double start, drawnAt;
} bar;

// Work that can be asked to stop has this long to do so, seconds: two seconds from the key to the prompt are a promise.
#define GRACE 1

static volatile sig_atomic_t interruption;

static void handleSignal(int number)
{
	if (interruption != 0)
		_exit(128 + number);
	interruption = number;
	alarm(GRACE);
}

// Files are put in their place whole (rpReplaceFile) and libraries change by transactions, so this leaves nothing half
// written.
static void endAtOnce(int number)
{
	(void)number;
	static const char text[] = "reprise: interrupted\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)written;
	_exit(128 + interruption);
}

void cliCatchSignals(void)
{
	// No SA_RESTART: a read that waits (a pipe, a terminal) is given up too.
	struct sigaction action = {.sa_handler = handleSignal};
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); ++i)
	{
		// What the parent chose to ignore (nohup) stays ignored.
		struct sigaction old;
		if (sigaction(stops[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(stops[i], &action, NULL);
	}
	action.sa_handler = endAtOnce;
	sigaction(SIGALRM, &action, NULL);
	// A reader that went away is an error of the write, not the end of the program.
	signal(SIGPIPE, SIG_IGN);
}

int cliGetInterruption(void)
{
	return interruption;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void cliStartBar(bool silent)
{
	bar.isActive = !silent && isatty(STDERR_FILENO);
	bar.isDrawn = false;
	bar.start = now();
	bar.drawnAt = 0.0;
}

static int getScreenWidth(void)
{
	struct winsize size;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

static void formatLeft(double seconds, char* out, size_t capacity)
{
	int whole = (int)(seconds + 0.5);
	if (whole >= 3600)
		snprintf(out, capacity, "%d:%02d:%02d left", whole / 3600, whole / 60 % 60, whole % 60);
	else
		snprintf(out, capacity, "%d:%02d left", whole / 60, whole % 60);
}

static void draw(double fraction, const char* what, double elapsed)
{
	enum
	{
		barWidth = 24
	};
	char left[32] = "";
	if (fraction > 0.0)
		formatLeft(elapsed * (1.0 - fraction) / fraction, left, sizeof left);
	char* shown = cliEscape(what != NULL ? what : "");
	int room = getScreenWidth() - barWidth - 26;
	int full = (int)(fraction * barWidth);
	fprintf(stderr, "\r[%.*s%.*s] %3d %%  %-12s  %.*s\x1b[K", full, "########################", barWidth - full,
			"........................", (int)(fraction * 100.0), left,
			cliGetWidth(shown) <= room ? (int)strlen(shown) : 0, shown);
	fflush(stderr);
	free(shown);
}

bool cliStepBar(double fraction, const char* what, void* context)
{
	(void)context;
	double time = now();
	if (bar.isActive && time - bar.start > 1.0 && time - bar.drawnAt > 0.1)
	{
		fraction = fraction < 0.0 ? 0.0 : fraction > 1.0 ? 1.0 : fraction;
		draw(fraction, what, time - bar.start);
		bar.isDrawn = true;
		bar.drawnAt = time;
	}
	return interruption == 0;
}

void cliClearBar(void)
{
	if (!bar.isDrawn)
		return;
	fputs("\r\x1b[K", stderr);
	bar.isDrawn = false;
}

void cliEndBar(void)
{
	cliClearBar();
	bar.isActive = false;
}
