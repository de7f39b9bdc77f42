// The controls under the stage: play, step, loop, the bars of time and speed, and the clock.
import type { Clip } from "./clip.js";
import { MAX_SPEED, MIN_SPEED, type State } from "./state.js";

const PLAY_ICON = "M6 3.500v13l10.500-6.500z", PAUSE_ICON = "M5.500 3.500h3.300v13H5.500zM11.200 3.500h3.300v13h-3.300z";

// Speeds are multiples of a twentieth.
const SPEED_STEPS = 20;

/** Find an element of the viewer by its id. */
export type Find = <T extends Element = HTMLElement>(id: string) => T;

// How much of a slider lies behind its thumb, for the style.
function fillBar(bar: HTMLInputElement): void {
	const part = (+bar.value - +bar.min) / (+bar.max - +bar.min || 1);
	bar.style.setProperty("--done", `calc(${(100 * part).toFixed(3)}% + ${(8 - 16 * part).toFixed(3)}px)`);
}

export class Transport {
	private readonly playButton: HTMLElement;
	private readonly playIcon: Element;
	private readonly bar: HTMLInputElement;
	private readonly speedBar: HTMLInputElement;
	private readonly speedText: HTMLElement;
	private readonly timeText: HTMLElement;
	private readonly frameText: HTMLElement;

	constructor(find: Find, private readonly state: State) {
		this.playButton = find("play");
		this.playIcon = find<Element>("play-icon");
		this.bar = find<HTMLInputElement>("scrub");
		this.speedBar = find<HTMLInputElement>("speed");
		this.speedText = find("speed-value");
		this.timeText = find("time");
		this.frameText = find("frame");
		this.playButton.addEventListener("click", () => this.play(!state.isPlaying));
		find("back").addEventListener("click", () => this.step(-1));
		find("forward").addEventListener("click", () => this.step(1));
		find("to-start").addEventListener("click", () => state.setTime(0));
		this.bar.addEventListener("input", () => state.setTime(+this.bar.value));
		this.speedBar.addEventListener("input", () => this.setSpeed(+this.speedBar.value));
		this.setSpeed(state.speed);
	}

	play(on: boolean): void {
		const { state } = this;
		state.isPlaying = on;
		if (on && !state.loop && state.time >= state.duration - 1e-6) state.time = 0;
		this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
		this.playIcon.setAttribute("d", on ? PAUSE_ICON : PLAY_ICON);
		state.touch();
	}

	/** Stop, and go some frames of the main clip on or back. */
	step(frames: number): void {
		const { state } = this;
		if (!state.main) return;
		this.play(false);
		const { fps } = state.main.data;
		state.setTime((Math.round(state.time * fps) + frames) / fps);
	}

	setSpeed(speed: number): void {
		const { state } = this;
		state.speed = Math.min(Math.max(Math.round(speed * SPEED_STEPS) / SPEED_STEPS, MIN_SPEED), MAX_SPEED);
		this.speedBar.value = String(state.speed);
		fillBar(this.speedBar);
		this.speedText.textContent = state.speed.toFixed(2) + "\u00d7";
	}

	/** Other clips are shown: the bar is as long as the longest. */
	update(): void {
		this.bar.max = String(this.state.duration || 1);
	}

	showTime(main: Clip): void {
		const { time } = this.state, { duration, fps, frames } = main.data, frame = Math.round(Math.min(Math.max(time, 0), duration) * fps);
		this.timeText.textContent = time.toFixed(2);
		this.frameText.textContent = `frame ${frame} of ${frames}`;
		this.bar.value = String(time);
		fillBar(this.bar);
		this.bar.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds, frame ${frame}`);
	}
}
