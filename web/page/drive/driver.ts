// The part of the page in which a reader drives a character.
import type { Camera } from "../stage/camera.js";
import { makeCamera, pickFloor } from "../stage/camera.js";
import { createStage } from "../stage/create.js";
import { listenToPointers, zoom } from "../stage/orbit.js";
import type { Stage } from "../stage/stage.js";
import type { Part } from "../part.js";
import { listOffers, type Offer } from "./casting.js";
import { Chase } from "./chase.js";
import { Controls } from "./controls.js";
import type { Model } from "./model.js";
import { fillBar, Panel } from "./panel.js";
import { printRequest, printTime, Readouts } from "./readouts.js";
import { download, makeFileName, printCommand, printMotion, printScript } from "./record.js";
import { Session, type Cast } from "./session.js";
import { Show } from "./show.js";
import { RATE, TICK } from "./tape.js";
import { Timeline } from "./timeline.js";

function find<T extends HTMLElement>(id: string): T {
	return document.getElementById(id) as T;
}

/** Seconds between two readings of figures. */
const READ_EVERY = 0.1;
/** How many can be driven at once. */
const MOST = 20;

const PLAY_ICON = "M6 3.5v13l10.5-6.5z", PAUSE_ICON = "M5.500 3.500h3.300v13H5.500zM11.200 3.500h3.300v13h-3.300z";

export class Driver implements Part {
	readonly element = find("drive");
	readonly camera: Camera = makeCamera();
	session: Session;
	private readonly stage: Stage;
	private readonly canvas = find<HTMLCanvasElement>("drive-scene");
	private readonly controls = new Controls(find("drive-stick"), find("drive-knob"));
	private readonly chase = new Chase(this.camera);
	private readonly show = new Show();
	private readonly readouts = new Readouts();
	private readonly timeline = new Timeline(find<HTMLCanvasElement>("drive-tracks"));
	private readonly panel = new Panel(find("drive-panel"));
	private readonly options = { path: true, contacts: true };
	private readonly moves = { speed: 0, turn: 0 };
	private readonly mover = {
		x: 0, z: 0, heading: 0, speed: 0, radius: 1,
		findRest: (seconds: number, out: { x: number; z: number }) => {
			const { character, input, asked } = this.session.main;
			if (input.rests) character.findRest(asked, seconds, out);
			return input.rests;
		},
	};
	private readonly place = [0, 0];
	private offers: Offer[] = [];
	/** What is looked at of the past, in ticks; null: what is shown now. */
	private cursor: number | null = null;
	private isPlaying = true;
	private isDirty = true;
	private rate = 1;
	/** Seconds that wait to become ticks, and since figures were read. */
	private left = 0;
	private sinceRead = READ_EVERY;
	private usedPointer = false;

	constructor(private readonly models: readonly Model[], private cast: Cast) {
		this.stage = createStage(this.canvas);
		this.session = this.open(cast);
		this.listen();
		this.onColors();
	}

	// ---- what is driven

	private open(cast: Cast): Session {
		const session = new Session(cast);
		this.session = session;
		find("drive-ghost").setAttribute("aria-pressed", "false");
		this.fillPanel();
		this.begin();
		return session;
	}

	/** Drive others from now on; where they cannot be had, go on as before. */
	private async recast(change: Partial<Cast>): Promise<void> {
		const before = { cast: this.cast, session: this.session };
		try {
			const cast = { ...before.cast, ...change };
			await cast.model.open();
			await cast.rival?.model.open();
			this.cast = cast;
			this.open(cast);
			before.session.destroy();
		} catch (error) {
			this.cast = before.cast;
			this.session = before.session;
			this.fillPanel();
			this.say(error instanceof Error ? error.message : String(error));
		}
	}

	private begin(): void {
		this.session.restart();
		this.controls.goal.clear();
		this.cursor = null;
		this.left = 0;
		this.play(true);
		this.tick();
		this.resetView();
		find("drive-name").textContent = this.session.main.character.def.model.name;
	}

	private fillPanel(): void {
		const { panel, session, cast } = this, { player } = session, { input } = session.main;
		this.offers = listOffers(this.models, cast.model, player.model === "locomotion", player.layers.length > 0);
		panel.clear();
		if (this.models.length > 1)
			panel.addChoice("Model", this.models.map(model => model.name), this.models.indexOf(cast.model), k => this.recast({ model: this.models[k], rival: null }));
		const hint = () => { find("drive-hint").textContent = input.hint; };
		input.addControls(panel, hint);
		hint();
		// What is set by controls alone has them beside the stage on a phone, too.
		this.element.classList.toggle("set", input.isSet);
		const beside = this.offers.findIndex(offer => isSameRival(offer.rival, cast.rival));
		panel.addChoice("Beside", this.offers.map(offer => offer.title), Math.max(beside, 0), k => this.recast({ rival: this.offers[k].rival }));
		if (input.steers) panel.addChoice("Keys", ["go where they point", "turn and go ahead"], this.controls.scheme === "turn" ? 1 : 0, k => { this.controls.scheme = k ? "turn" : "camera"; });
		player.layers.forEach((layer, i) => panel.addSwitch(`Layer: ${layer.name}`, session.weights[i] > 0, on => { session.weights[i] = on ? 1 : 0; }));
		panel.addSlider("Characters", { min: 1, max: MOST, step: 1, value: cast.count, unit: "", isLate: true }, count => this.recast({ count }));
	}

	// ---- time

	advance(seconds: number): void {
		const session = this.session, last = session.ticks - 1;
		if (this.isPlaying) {
			if (this.cursor === null) this.live(seconds * this.rate);
			else {
				this.cursor += seconds * this.rate * RATE;
				if (this.cursor >= last) this.cursor = null;
			}
			this.isDirty = true;
		}
		this.turnCamera(seconds);
		if (!this.isDirty) return;
		this.isDirty = false;
		this.draw(seconds);
	}

	private live(seconds: number): void {
		this.left += seconds;
		while (this.left >= TICK) {
			this.left -= TICK;
			this.tick();
		}
	}

	private tick(): void {
		const { session, mover } = this, { tape } = session.main.character, hadGoal = this.controls.goal.isSet;
		if (tape.count > 0) {
			const at = 3 * tape.slot(tape.count - 1);
			tape.measure(tape.count - 1, this.moves);
			mover.x = tape.ground[at];
			mover.z = tape.ground[at + 1];
			mover.heading = tape.ground[at + 2];
			mover.speed = this.moves.speed;
			const isRunning = session.main.asked.request === session.player.requests.indexOf("run") && session.main.asked.request > 0;
			mover.radius = session.main.input.getRadius(isRunning);
		}
		const request = session.main.asked.request;
		session.tick(this.controls.read(this.camera.yaw, mover));
		if (session.main.asked.request !== request) this.say(printRequest(session.player, session.main.asked.request));
		if (hadGoal && !this.controls.goal.isSet && mover.speed < 0.2) this.say("there");
	}

	/** What is shown, in ticks: live, between the last two. */
	get time(): number {
		const last = this.session.ticks - 1;
		return this.cursor ?? Math.max(last - 1 + this.left * RATE, 0);
	}

	private turnCamera(seconds: number): void {
		const { x, y } = this.controls.pads.look;
		if (x === 0 && y === 0) return;
		this.camera.yaw -= 2.5 * seconds * x;
		this.camera.pitch = Math.min(Math.max(this.camera.pitch + 1.5 * seconds * y, -0.1), 1.5);
		this.isDirty = true;
	}

	pause(): void {
		this.play(false);
	}

	private play(on: boolean): void {
		if (!on && this.cursor === null) this.cursor = this.time;
		this.isPlaying = on;
		if (on && this.cursor !== null && this.cursor >= this.session.ticks - 2) this.cursor = null;
		find("drive-play").setAttribute("aria-label", on ? "Pause" : "Play");
		find("drive-play-icon").setAttribute("d", on ? PAUSE_ICON : PLAY_ICON);
		this.touch();
	}

	/** Look at a tick of the past. */
	private seek(tick: number): void {
		const tape = this.session.main.character.tape;
		this.cursor = Math.min(Math.max(tick, tape.first), tape.count - 1);
		this.play(false);
	}

	private step(ticks: number): void {
		this.seek(Math.round(this.time) + ticks);
	}

	/** Drive on from what is looked at. */
	private takeOver(): void {
		if (this.cursor === null) return;
		const tick = Math.floor(this.cursor);
		if (!this.session.goBack(tick)) {
			this.say("too long ago to drive on from");
			return;
		}
		this.session.weights.splice(0, Infinity, ...this.session.main.character.weights);
		this.cursor = null;
		this.left = 0;
		this.controls.goal.clear();
		this.play(true);
		this.say(`on from ${printTime(tick)} seconds`);
	}

	// ---- what is shown

	private draw(seconds: number): void {
		const { session, time, place } = this, tape = session.main.character.tape, tick = Math.floor(time);
		tape.blendPlace(time, place);
		tape.measure(tick, this.moves);
		this.chase.follow(place[0], place[1], tape.ground[3 * tape.slot(tick) + 2], this.moves.speed, seconds);
		this.show.fill(session, time, this.controls.goal, this.options);
		this.stage.draw(this.show.scene, this.camera);
		this.sinceRead += seconds;
		if (this.sinceRead >= READ_EVERY || !this.isPlaying) {
			this.sinceRead = 0;
			this.readOut(tick, time);
		}
	}

	private readOut(tick: number, time: number): void {
		const { session } = this, tape = session.main.character.tape, bar = find<HTMLInputElement>("drive-scrub");
		this.readouts.show(session, tick);
		this.timeline.draw(session, time);
		bar.min = String(tape.first);
		bar.max = String(this.timeline.findLast(tape));
		bar.value = String(time);
		bar.setAttribute("aria-valuetext", `${printTime(time)} seconds`);
		fillBar(bar);
		find("drive-time").textContent = printTime(time);
		find("drive-frame").textContent = this.cursor === null ? "live" : `${((tape.count - 1 - time) / RATE).toFixed(2)} s ago`;
		find<HTMLButtonElement>("drive-resume").disabled = this.cursor === null;
		find("drive-cell").textContent = `${this.stage.cell} m`;
	}

	private say(text: string): void {
		find("drive-status").textContent = text;
	}

	private touch(): void {
		this.isDirty = true;
		this.sinceRead = READ_EVERY;
	}

	private resetView(): void {
		const tape = this.session.main.character.tape, at = 3 * tape.slot(Math.max(Math.floor(this.time), tape.first));
		const { stature } = this.session.main.character.def.model.figure;
		this.chase.reset(tape.ground[at], tape.ground[at + 1], tape.ground[at + 2], stature);
		if (this.cast.count > 4) zoom(this.camera, 1.9);
		else if (this.cast.rival) zoom(this.camera, 1.35);
		this.touch();
	}

	// ---- what the user does

	onKey(event: KeyboardEvent, isDown: boolean): boolean {
		const target = event.target as HTMLElement, isSpace = event.code === "Space";
		// Controls keep the keys that they know.
		if (isSpace && target.matches("button, input[type=checkbox], summary")) return false;
		if (target.matches("select, input[type=range]") && /^(Arrow|Home|End|Page)/.test(event.code)) return false;
		if (this.controls.keyboard.onKey(event.code, isDown)) return !event.code.startsWith("Shift");
		if (!isDown) return false;
		if (/^[0-9]$/.test(event.key) && !target.matches("select") && this.session.main.input.choose?.(+event.key)) return true;
		const act = this.keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
		if (!act || (event.key === "Enter" && target.matches("button, select, summary, a"))) return false;
		act();
		return true;
	}

	private readonly keys: Record<string, () => void> = {
		p: () => this.play(!this.isPlaying),
		r: () => this.begin(),
		g: () => this.toggleGhost(),
		c: () => this.toggleTurns(),
		v: () => this.resetView(),
		",": () => this.step(-1),
		".": () => this.step(1),
		"[": () => this.setRate(this.rate - 0.1),
		"]": () => this.setRate(this.rate + 0.1),
		"+": () => this.zoomBy(0.9),
		"=": () => this.zoomBy(0.9),
		"-": () => this.zoomBy(1 / 0.9),
		Enter: () => this.takeOver(),
		Escape: () => this.clearPlaces(),
	};

	private zoomBy(factor: number): void {
		zoom(this.camera, factor);
		this.touch();
	}

	private setRate(rate: number): void {
		this.rate = Math.min(Math.max(Math.round(20 * rate) / 20, 0.1), 1);
		const bar = find<HTMLInputElement>("drive-rate");
		bar.value = String(this.rate);
		fillBar(bar);
		find("drive-rate-value").textContent = `${this.rate.toFixed(2)}\u00d7`;
	}

	private toggleGhost(): void {
		const on = this.session.ghost === null;
		this.session.showGhost(on);
		find("drive-ghost").setAttribute("aria-pressed", String(on));
		this.touch();
	}

	private toggleTurns(): void {
		this.chase.turns = !this.chase.turns;
		find("drive-turns").setAttribute("aria-pressed", String(this.chase.turns));
	}

	private togglePath(): void {
		this.options.path = !this.options.path;
		find("drive-path").setAttribute("aria-pressed", String(this.options.path));
		this.touch();
	}

	private goTo(x: number, y: number): void {
		const place = { x: 0, z: 0 }, { input } = this.session.main;
		if (this.cursor !== null || !pickFloor(this.camera, x, y, 0, place)) return;
		if (input.aim?.(place.x, place.z)) this.say("aiming there");
		else if (input.steers) {
			this.controls.goal.set(place.x, place.z);
			this.say("going there");
		} else return;
		this.touch();
	}

	private clearPlaces(): void {
		this.controls.goal.clear();
		this.session.main.input.clearAim?.();
	}

	private save(kind: "script" | "motion"): void {
		const { session } = this, name = session.main.character.def.model.name;
		if (kind === "script") download(makeFileName(name, ".csv"), printScript(session), "text/csv");
		else download(makeFileName(name, ".bvh"), printMotion(session), "text/plain");
		const command = find("drive-command");
		command.textContent = printCommand(session);
		command.hidden = false;
	}

	private listen(): void {
		const click = (id: string, act: () => void) => find(id).addEventListener("click", act);
		click("drive-play", () => this.play(!this.isPlaying));
		click("drive-restart", () => this.begin());
		click("drive-back", () => this.step(-1));
		click("drive-forward", () => this.step(1));
		click("drive-resume", () => this.takeOver());
		click("drive-ghost", () => this.toggleGhost());
		click("drive-turns", () => this.toggleTurns());
		click("drive-path", () => this.togglePath());
		click("drive-reset", () => this.resetView());
		click("drive-save-script", () => this.save("script"));
		click("drive-save-motion", () => this.save("motion"));
		find("drive-rate").addEventListener("input", event => this.setRate(+(event.target as HTMLInputElement).value));
		find("drive-scrub").addEventListener("input", event => this.seek(+(event.target as HTMLInputElement).value));
		const run = find("drive-run");
		run.addEventListener("click", () => {
			this.controls.runs = !this.controls.runs;
			run.setAttribute("aria-pressed", String(this.controls.runs));
		});
		this.listenToTracks();
		this.giveBackFocus();
		listenToPointers(this.canvas, this.camera, { onChange: () => this.touch(), onClick: (x, y) => this.goTo(x, y) });
		new ResizeObserver(() => {
			this.stage.resize(this.camera);
			this.touch();
		}).observe(this.canvas);
	}

	private listenToTracks(): void {
		const tracks = find<HTMLCanvasElement>("drive-tracks"), seek = (event: PointerEvent) => this.seek(this.timeline.pick(this.session, event.clientX - tracks.getBoundingClientRect().left));
		tracks.addEventListener("pointerdown", event => {
			tracks.setPointerCapture(event.pointerId);
			seek(event);
		});
		tracks.addEventListener("pointermove", event => { if (event.buttons) seek(event); });
	}

	// Who used a control by mouse or finger goes on driving: keys shall not turn a slider.
	private giveBackFocus(): void {
		this.element.addEventListener("pointerdown", () => { this.usedPointer = true; }, true);
		this.element.addEventListener("keydown", () => { this.usedPointer = false; }, true);
		const give = () => { if (this.usedPointer) this.canvas.focus({ preventScroll: true }); };
		this.element.addEventListener("change", give);
		this.element.addEventListener("click", event => { if ((event.target as HTMLElement).closest("button")) give(); });
	}

	onBlur(): void {
		this.controls.release();
	}

	onColors(): void {
		this.stage.readColors();
		this.timeline.readColors();
		this.touch();
	}
}

function isSameRival(a: Cast["rival"], b: Cast["rival"]): boolean {
	return a === b || (a !== null && b !== null && a.model === b.model && a.variant.name === b.variant.name);
}
