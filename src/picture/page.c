/// The page: one HTML file with viewer, style and all that it shows inside.
///
/// What it shows stands in it as JSON: {"clips", "models", "runtime"}, as web/page/data.ts reads it. Times are seconds,
/// places metres.
#include "reprise/picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "file/output.h"
#include "picture/assets.h"
#include "picture/escape.h"
#include "picture/page_clip.h"
#include "picture/page_model.h"

#include <string.h>

rpPageDef rpDefaultPageDef(void)
{
	return (rpPageDef){0};
}

/// The page's parts, by their names in page.html.
typedef struct PageParts
{
	const rpMotion* const* motions;
	int count;
	const rpPageDef* def;
} PageParts;

static bool appendData(const PageParts* parts, rpText* out, rpError* error)
{
	const rpPageDef* def = parts->def;
	bool ok = true;
	rpText_AppendString(out, "{\"clips\":[");
	for (int i = 0; i < parts->count && ok; ++i)
	{
		rpText_AppendString(out, i > 0 ? ",\n" : "\n");
		ok = rpAppendPageClip(parts->motions[i], out, error);
	}
	rpText_AppendString(out, "],\n\"models\":[");
	for (int i = 0; i < def->modelCount && ok; ++i)
	{
		rpText_AppendString(out, i > 0 ? ",\n" : "\n");
		ok = rpAppendPageModel(&def->models[i], out, error);
	}
	rpText_AppendString(out, "],\n\"runtime\":");
	if (def->modelCount < 1)
	{
		rpText_AppendString(out, "null");
	}
	else
	{
		ok = ok && rpAppendPageRuntime(out, error);
	}
	rpText_AppendString(out, "}");
	return ok;
}

static bool appendPart(const PageParts* parts, const char* name, size_t size, rpText* out, rpError* error)
{
	const rpPageDef* def = parts->def;
	if (strncmp(name, "TITLE", size) == 0)
	{
		rpAppendHtml(out, def->title != NULL ? def->title : "Reprise");
	}
	else if (strncmp(name, "VERSION", size) == 0)
	{
		rpAppendHtml(out, rpVersion());
	}
	else if (strncmp(name, "STYLE", size) == 0)
	{
		rpText_Append(out, rpAsset_page_css, rpAsset_page_css_size);
	}
	else if (strncmp(name, "SCRIPT", size) == 0)
	{
		rpText_Append(out, rpAsset_page_js, rpAsset_page_js_size);
	}
	else if (strncmp(name, "INTRODUCTION", size) == 0 && def->introduction != NULL)
	{
		rpText_AppendString(out, "<section class=\"introduction\">");
		rpText_AppendString(out, def->introduction);
		rpText_AppendString(out, "</section>");
	}
	else if (strncmp(name, "DATA", size) == 0)
	{
		return appendData(parts, out, error);
	}
	return true;
}

// The page is page.html with its @NAMES@ replaced.
static bool composePage(const PageParts* parts, rpText* out, rpError* error)
{
	const char* text = (const char*)rpAsset_page_html;
	for (;;)
	{
		const char* mark = strchr(text, '@');
		const char* end = mark != NULL ? strchr(mark + 1, '@') : NULL;
		if (end == NULL)
		{
			rpText_AppendString(out, text);
			break;
		}
		rpText_Append(out, text, (size_t)(mark - text));
		if (!appendPart(parts, mark + 1, (size_t)(end - mark - 1), out, error))
		{
			return false;
		}
		text = end + 1;
	}
	return !out->failed || rpFail(error, rp_errorMemory, "no memory for the page");
}

bool rpWritePage(const rpMotion* const* motions, int count, const char* path, const rpPageDef* def, rpError* error)
{
	rpPageDef defaults = rpDefaultPageDef();
	PageParts parts = {motions, count, def != NULL ? def : &defaults};
	if (count < 1 && parts.def->modelCount < 1)
	{
		return rpFail(error, rp_errorArgument, "a page needs at least one motion or model");
	}
	rpText page = {0};
	bool ok = composePage(&parts, &page, error) && rpReplaceFile(path, page.data, page.size, error);
	rpText_Free(&page);
	return ok;
}
