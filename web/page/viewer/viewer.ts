// The viewer of a page: plays its clips on a stage, one or several side by side.
import type { ClipData } from "../data.js";
import type { Part } from "../part.js";
import { makeCamera } from "../stage/camera.js";
import { Palette } from "../stage/colors.js";
import { createStage } from "../stage/create.js";
import { makeScene } from "../stage/fill.js";
import { listenToPointers, zoom } from "../stage/orbit.js";
import type { Stage } from "../stage/stage.js";
import { ClipList } from "./list.js";
import { layLanes, resetView } from "./lanes.js";
import { fillScene } from "./scenery.js";
import { State } from "./state.js";
import { Strips } from "./strips.js";
import { Tracks } from "./tracks.js";
import { Transport, type Find } from "./transport.js";

// How much a key zooms, and changes the speed.
const ZOOM = 0.9, SPEED = 0.1;

/** What can be switched on and off, and its button. */
const SWITCHES = { loop: "loop", follow: "follow", path: "show-path", contacts: "show-contacts" } as const;
type Switch = keyof typeof SWITCHES;

class Viewer implements Part {
	private readonly state: State;
	private readonly camera = makeCamera();
	private readonly scene = makeScene();
	private readonly palette = new Palette();
	private readonly narrow = matchMedia("(max-width: 760px)");
	private readonly stage: Stage;
	private readonly strips: Strips;
	private readonly list: ClipList;
	private readonly tracks: Tracks;
	private readonly transport: Transport;
	/** How the view was turned when it was last reset: lanes lie across that. */
	private rowYaw = 0;
	/** How high above the floor it looks. */
	private lift = 0.9;
	private shownCell = 0;

	constructor(readonly element: HTMLElement, clips: readonly ClipData[]) {
		const canvas = this.find<HTMLCanvasElement>("scene");
		this.state = new State(clips);
		this.stage = createStage(canvas);
		this.strips = new Strips(this.palette);
		this.list = new ClipList(this.find("clip-list"), this.state, this.strips, (index, beside) => this.select(index, beside));
		this.tracks = new Tracks(this.find<HTMLCanvasElement>("tracks"), this.find("scrub"), this.state, this.palette, this.narrow);
		this.transport = new Transport(this.find, this.state);
		this.find("clip-count").textContent = clips.length > 1 ? String(clips.length) : "";
		this.listen(canvas);
		this.resize();
		if (!clips.length) return;
		this.select(0, false);
		this.transport.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
	}

	private readonly find: Find = <T extends Element>(id: string) => this.element.querySelector<T>("#" + id)!;

	private listen(canvas: HTMLCanvasElement): void {
		for (const name of Object.keys(SWITCHES) as Switch[]) this.find(SWITCHES[name]).addEventListener("click", () => this.toggle(name));
		this.find("reset").addEventListener("click", () => this.resetView());
		listenToPointers(canvas, this.camera, { onChange: () => this.state.touch(), onDoubleClick: () => this.resetView() });
		new ResizeObserver(() => this.resize()).observe(canvas);
	}

	private resize(): void {
		this.stage.resize(this.camera);
		this.tracks.layOut();
		this.strips.redraw(false);
		this.state.touch();
	}

	private resetView(): void {
		resetView(this.state, this.camera, this.narrow.matches);
		this.rowYaw = this.camera.yaw;
		this.lift = this.camera.target[1] - (this.state.main?.data.floor ?? 0);
		this.state.touch();
	}

	/* ------------------------------------------------------------ what is shown */

	private select(index: number, beside: boolean): void {
		const { state } = this;
		if (!state.select(index, beside)) return;
		this.list.update();
		this.transport.update();
		this.showFacts();
		state.setTime(state.time);
		this.tracks.layOut();
		this.showSwitch("follow");
		this.resetView();
	}

	private showFacts(): void {
		const { shown, main } = this.state, { name, duration, frames, fps, joints, stature } = main!.data, areMany = shown.length > 1;
		const count = `${frames} frame${frames === 1 ? "" : "s"} at ${+fps.toFixed(3)} Hz`;
		this.find("clip-name").textContent = areMany ? `${shown.length} clips side by side` : name;
		this.find("clip-facts").textContent = areMany ? `tracks of ${name}` :
			`${duration.toFixed(2)} s \u00b7 ${count} \u00b7 ${joints} joints \u00b7 ${stature.toFixed(2)} m tall`;
		this.find("path-legend").hidden = !shown.some(clip => clip.data.wanted);
	}

	private showSwitch(name: Switch): void {
		this.find(SWITCHES[name]).setAttribute("aria-pressed", String(this.state[name]));
	}

	private toggle(name: Switch): void {
		const { state } = this;
		state[name] = !state[name];
		this.showSwitch(name);
		state.touch();
		if (name !== "follow") return;
		// Several bodies stand elsewhere when followed, so the view starts anew.
		layLanes(state, this.rowYaw);
		if (state.shown.length > 1) this.resetView();
	}

	/* -------------------------------------------------------------------- time */

	advance(seconds: number): void {
		const { state } = this;
		if (!state.main) return;
		if (state.isPlaying && state.advance(seconds)) this.transport.play(false);
		if (!state.isDirty) return;
		state.isDirty = false;
		this.draw();
		this.tracks.draw(state.main);
		this.transport.showTime(state.main);
	}

	private draw(): void {
		const { state, camera, stage } = this, main = state.main!;
		if (state.follow) {
			layLanes(state, this.rowYaw);
			const isAlone = state.shown.length < 2;
			camera.target[0] = isAlone ? main.follow(state.time, 0) : 0;
			camera.target[1] = main.data.floor + this.lift;
			camera.target[2] = isAlone ? main.follow(state.time, 2) : 0;
		}
		fillScene(this.scene, state, this.palette);
		stage.draw(this.scene, camera);
		if (stage.cell !== this.shownCell) this.find("cell").textContent = `${stage.cell} m`;
		this.shownCell = stage.cell;
	}

	/* -------------------------------------------------------------------- keys */

	private readonly keys: Record<string, (event: KeyboardEvent) => void> = {
		" ": () => this.transport.play(!this.state.isPlaying),
		",": () => this.transport.step(-1),
		".": () => this.transport.step(1),
		ArrowLeft: event => this.transport.step(event.shiftKey ? -10 : -1),
		ArrowRight: event => this.transport.step(event.shiftKey ? 10 : 1),
		ArrowUp: () => this.selectNext(-1),
		ArrowDown: () => this.selectNext(1),
		Home: () => this.state.setTime(0),
		End: () => this.state.setTime(this.state.duration),
		f: () => this.toggle("follow"),
		l: () => this.toggle("loop"),
		p: () => this.toggle("path"),
		c: () => this.toggle("contacts"),
		r: () => this.resetView(),
		"+": () => this.zoom(ZOOM),
		"=": () => this.zoom(ZOOM),
		"-": () => this.zoom(1 / ZOOM),
		"[": () => this.transport.setSpeed(this.state.speed - SPEED),
		"]": () => this.transport.setSpeed(this.state.speed + SPEED),
	};

	private selectNext(step: number): void {
		const { clips, main } = this.state;
		this.select((main!.index + step + clips.length) % clips.length, false);
	}

	private zoom(factor: number): void {
		zoom(this.camera, factor);
		this.state.touch();
	}

	onKey(event: KeyboardEvent, isDown: boolean): boolean {
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, target = event.target as HTMLElement;
		if (!isDown || !this.state.main || !Object.prototype.hasOwnProperty.call(this.keys, key)) return false;
		// A button takes the space bar itself, the speed its arrows; time's arrows go frame by frame.
		if (key === " " && target.tagName === "BUTTON") return false;
		if (target.id === "speed" && (key.startsWith("Arrow") || key === "Home" || key === "End")) return false;
		this.keys[key](event);
		return true;
	}

	onBlur(): void {
		// No key of the viewer is held.
	}

	onColors(): void {
		this.palette.read();
		this.stage.readColors();
		this.tracks.repaint();
		this.strips.redraw(true);
		this.state.touch();
	}
}

export function createViewer(element: HTMLElement, clips: readonly ClipData[]): Part {
	return new Viewer(element, clips);
}
