// From a wish to what a model understands. Each kind of input says which players it fits, which controls it wants in the panel,
// and what it asks of the player; what a page offers follows from the bundle. A new kind of model adds a kind here.
import type { GaitLimits, Player } from "../../play/reprise-play.ts";
import type { Gauge, Panel } from "./panel.js";
import { findMeaning, makeSetting, printAnswer, printNumber, toNumber, type Meaning, type Setting } from "./parameter.js";
import { wrap, type Asked, type Tape } from "./tape.js";
import { isActive, type Wish } from "./wish.js";

/** What somebody set in the panel. */
export interface Input {
	/** What it takes, in a line; whether a wish leads it anywhere, and whether it keeps a course then. */
	readonly hint: string;
	readonly steers: boolean;
	readonly goes: boolean;
	/** Whether it can be told a place to hit. */
	readonly aims: boolean;
	/** Whether what is set by controls matters as much as where it is steered. */
	readonly isSet: boolean;
	/** Put its controls into the panel; onChange: the hint is another one now. */
	addControls(panel: Panel, onChange: () => void): void;
	/** Do the n-th of what can be chosen, 0 nothing of it; false: there is no such thing. */
	choose?(index: number): boolean;
	/** Take a place on the floor that was clicked as one to aim at; false: it is a place to go to. And forget it. */
	aim?(x: number, z: number): boolean;
	clearAim?(): void;
	/** Say in them what became of it in a tick. */
	show(tape: Tape, slot: number): void;
	/** Ask, of somebody who faces a heading; gives the turn in the degrees per second that a script is written with, or 0. */
	fill(wish: Wish, asked: Asked, heading: number): number;
	/** What a goal needs: the radius of the smallest circle, and whether it comes to rest if nothing is asked. */
	readonly rests: boolean;
	getRadius(isRunning: boolean): number;
}

const GOING = "Arrows or WASD, Shift runs, Space stands; click the floor to go there";

/** Metres of the smallest circles of people who walk and run. */
const WALK_RADIUS = 0.8, RUN_RADIUS = 2;

/** A graph is turned by directions so far to the side, radians. */
const ASIDE = 1.2;

// Who is turned goes where that leads him.
function fillDirection(wish: Wish, asked: Asked, heading: number): void {
	const isTurned = wish.x === 0 && wish.z === 0 && (wish.ahead > 0.1 || Math.abs(wish.turn) > 0.1), angle = heading + ASIDE * wish.turn;
	asked.stickX = toStick(wish.stand ? 0 : isTurned ? Math.sin(angle) : wish.x);
	asked.stickZ = toStick(wish.stand ? 0 : isTurned ? Math.cos(angle) : wish.z);
}

/** Directions alone: motion graphs. */
class DirectionInput implements Input {
	readonly hint = GOING;
	readonly steers = true;
	readonly goes = true;
	readonly aims = false;
	readonly isSet = false;
	readonly rests = false;

	addControls(): void {
	}

	show(): void {
	}

	fill(wish: Wish, asked: Asked, heading: number): number {
		fillDirection(wish, asked, heading);
		asked.request = 0;
		asked.speed = asked.turn = 0;
		return 0;
	}

	// A graph does not know.
	getRadius(): number {
		return WALK_RADIUS;
	}
}

/** Degrees to radians as `reprise play` reads a script: the product in double precision, then a float. */
const DEGREE = Math.PI / 180;

/** Gaits with speeds and turns: models of locomotion. */
class GaitInput implements Input {
	readonly hint = GOING;
	readonly steers = true;
	readonly goes = true;
	readonly aims = false;
	readonly isSet = false;
	readonly rests = true;
	private readonly walk: number;
	private readonly run: number;
	private readonly limits: (GaitLimits | null)[];
	private readonly speeds: number[];

	constructor(player: Player) {
		this.limits = player.requests.map(gait => player.gaitLimits(gait));
		this.speeds = this.limits.map(limits => (limits ? round(limits.usual) : 0));
		this.walk = player.requests.indexOf("walk");
		this.run = player.requests.indexOf("run");
	}

	addControls(panel: Panel): void {
		for (const [gait, title] of [[this.walk, "Walk at"], [this.run, "Run at"]] as const) {
			const limits = this.limits[gait];
			if (limits)
				panel.addSlider(title, { min: round(limits.slowest), max: round(limits.fastest), step: 0.05, value: this.speeds[gait], unit: " m/s" },
					value => { this.speeds[gait] = value; });
		}
	}

	show(): void {
	}

	fill(wish: Wish, asked: Asked): number {
		const gait = this.getGait(wish), isFree = wish.x === 0 && wish.z === 0;
		asked.stickX = toStick(wish.stand ? 0 : wish.x);
		asked.stickZ = toStick(wish.stand ? 0 : wish.z);
		asked.request = gait;
		// How far a stick is pushed is a speed already.
		asked.speed = gait > 0 && !wish.isAnalog ? Math.fround(this.speeds[gait]) : 0;
		const degrees = isFree && gait > 0 ? this.getTurn(wish.turn, gait) : 0;
		asked.turn = Math.fround(degrees * DEGREE);
		return degrees;
	}

	getRadius(isRunning: boolean): number {
		const limits = this.limits[isRunning ? this.run : this.walk];
		return limits ? limits.usual / Math.max(Math.min(limits.maxTurnLeft, limits.maxTurnRight), 0.2) : 1;
	}

	private getGait(wish: Wish): number {
		const goes = Math.hypot(wish.x, wish.z) > 0.1 || wish.ahead > 0.1 || Math.abs(wish.turn) > 0.1;
		if (wish.stand || !goes) return 0;
		const wanted = wish.run ? this.run : this.walk, other = wish.run ? this.walk : this.run;
		// Who only runs, runs.
		return this.limits[wanted] || !this.limits[other] ? Math.max(wanted, 0) : other;
	}

	// The sharpest turn, so much of it.
	private getTurn(share: number, gait: number): number {
		const limits = this.limits[gait];
		if (!limits) return 0;
		return Math.round(share * (share > 0 ? limits.maxTurnLeft : limits.maxTurnRight) / DEGREE);
	}
}

/** A direction becomes turns of so many degrees: a few lines of a script, and not one for each tick. */
const TURN_STEP = 5;

/** Parameters: spaces. A slider each says what the next motion does; one that turns follows directions, too. */
class ParameterInput implements Input {
	readonly hint: string;
	readonly steers: boolean;
	readonly goes = false;
	readonly aims = false;
	readonly isSet = true;
	readonly rests = false;
	/** By key: whoever drives beside has the same. */
	private readonly values: Map<string, number>;
	private readonly settings: readonly Setting[];
	private readonly turn: number;
	private readonly asked: number[];
	private gauges: Gauge[] = [];

	constructor(player: Player, beside: Input | null) {
		this.settings = player.parameters.map(makeSetting);
		this.turn = player.parameters.findIndex(parameter => parameter.name === "turn" && parameter.unit === "rad");
		this.steers = this.turn >= 0;
		this.hint = `Sliders say what the next motion does${this.steers ? "; arrows or a click on the floor say where it turns" : ""}`;
		this.values = beside instanceof ParameterInput ? beside.values : new Map<string, number>();
		for (const { key, usual } of this.settings) if (!this.values.has(key)) this.values.set(key, usual);
		this.asked = this.settings.map(({ key }) => this.values.get(key)!);
	}

	addControls(panel: Panel): void {
		this.gauges = this.settings.map(setting => {
			const { key, title, min, max, step, low, high, unit } = setting, value = this.values.get(key)!;
			const def = { min, max, step, value, unit, region: [low, high] as const, print: (x: number) => printNumber(setting, x) };
			return panel.addGauge(title, def, x => this.values.set(key, x));
		});
	}

	show(tape: Tape, slot: number): void {
		const count = this.settings.length;
		for (let k = 0; k < count; ++k) {
			const setting = this.settings[k], { isAngle } = setting;
			const requested = toNumber(isAngle, tape.requested[count * slot + k]), nearest = toNumber(isAngle, tape.nearest[count * slot + k]);
			this.gauges[k]?.show(nearest, printAnswer(setting, requested, nearest));
		}
	}

	fill(wish: Wish, asked: Asked, heading: number): number {
		asked.stickX = asked.stickZ = asked.request = asked.speed = asked.turn = 0;
		for (let k = 0; k < this.settings.length; ++k) this.asked[k] = k === this.turn ? this.getTurn(wish, heading) : this.values.get(this.settings[k].key)!;
		asked.values = this.asked;
		return 0;
	}

	getRadius(): number {
		return WALK_RADIUS;
	}

	// Towards where a stick points, or as far as it is pushed to a side; as the slider says where nobody steers.
	private getTurn(wish: Wish, heading: number): number {
		const { low, high, key } = this.settings[this.turn];
		const isDirected = wish.x !== 0 || wish.z !== 0, isTurned = wish.ahead > 0.1 || Math.abs(wish.turn) > 0.1;
		if (!isDirected && !isTurned) return this.values.get(key)!;
		const degrees = isDirected ? toNumber(true, wrap(Math.atan2(wish.x, wish.z) - heading)) : wish.turn * (wish.turn > 0 ? high : -low);
		return TURN_STEP * Math.round(Math.min(Math.max(degrees, low), high) / TURN_STEP) + 0;
	}
}

/** A node of a parametric graph. */
interface Node {
	readonly request: number;
	readonly name: string;
	readonly settings: readonly Setting[];
	/** Its name and the parameter's. */
	readonly keys: readonly string[];
	readonly meanings: readonly Meaning[];
	/** Whether it hits a place. */
	readonly aims: boolean;
	/** What is asked of it; not a number where it follows from the stick or the place. */
	readonly asked: number[];
	/** By parameter, where it has one. */
	readonly gauges: (Gauge | null)[];
}

function makeNode(player: Player, name: string, request: number): Node {
	const parameters = player.parametersOf(request), meanings = parameters.map(findMeaning);
	return {
		request, name, settings: parameters.map(makeSetting), keys: parameters.map(({ key }) => `${name}/${key}`), meanings, aims: meanings.includes("x") && meanings.includes("z"),
		asked: parameters.map(() => NaN), gauges: [],
	};
}

/** What is set of nodes; who drives beside has the same. */
class NodeChoice {
	/** The name of the node to do; none: as it goes. */
	name = "";
	/** By node and key. */
	readonly values = new Map<string, number>();
	/** Where to hit; not numbers: nowhere in particular. */
	x = NaN;
	z = NaN;
}

const AS_IT_GOES = "as it goes";

/** What to do next, and how: parametric graphs. Directions steer nodes that turn, a click is a place to hit for those that hit places,
    sliders set what is left. */
class NodeInput implements Input {
	readonly steers: boolean;
	readonly goes: boolean;
	readonly aims: boolean;
	readonly isSet: boolean;
	readonly rests = false;
	private readonly choice: NodeChoice;
	private readonly nodes: readonly Node[];
	private readonly walk: number;
	private readonly run: number;
	private list: HTMLSelectElement | null = null;
	private onChange: () => void = () => {};

	constructor(player: Player, beside: Input | null) {
		this.nodes = player.requests.slice(1).map((name, k) => makeNode(player, name, k + 1));
		this.walk = player.requests.indexOf("walk");
		this.run = player.requests.indexOf("run");
		this.steers = this.nodes.some(({ meanings }) => meanings.includes("turn") || meanings.includes("facing"));
		this.goes = this.nodes.some(({ meanings }) => meanings.includes("turn"));
		this.aims = this.nodes.some(({ aims }) => aims);
		this.isSet = this.nodes.length > 1 || !this.goes;
		this.choice = beside instanceof NodeInput ? beside.choice : new NodeChoice();
		// Who goes nowhere would do the first for ever; where there is one alone it is that.
		if (!(beside instanceof NodeInput) && (!this.goes || this.nodes.length === 1)) this.choice.name = this.nodes[0].name;
	}

	get hint(): string {
		const chosen = this.findChosen(), hints = [];
		if (this.goes) hints.push(this.walk > 0 && this.run > 0 ? "Arrows or WASD, Shift runs; click the floor to go there" : "Arrows or WASD; click the floor to go there");
		if (chosen?.aims) hints.push("Click the floor where it is to hit; a slider says how high");
		else if (!this.goes && chosen?.meanings.includes("facing")) hints.push("Arrows or a click on the floor say where it faces");
		if (this.nodes.length > 1) hints.push(`${this.nodes.length > 9 ? "1\u20139" : `1\u2013${this.nodes.length}`}: what to do, 0: ${AS_IT_GOES}`);
		return hints.join("; ");
	}

	addControls(panel: Panel, onChange: () => void): void {
		this.onChange = onChange;
		if (this.nodes.length > 1)
			this.list = panel.addChoice("Do", [AS_IT_GOES, ...this.nodes.map(({ name }) => name.replace(/_/g, " "))], this.findChosen()?.request ?? 0, k => this.choose(k));
		for (const node of this.nodes) this.addGauges(panel, node);
		this.showGauges();
	}

	private addGauges(panel: Panel, node: Node): void {
		node.gauges.splice(0, Infinity, ...node.settings.map((setting, k) => {
			const { title, min, max, step, low, high, unit } = setting, key = node.keys[k];
			if (!isSlider(node.meanings[k])) return null;
			const def = { min, max, step, value: this.getValue(node, k), unit, region: [low, high] as const, print: (x: number) => printNumber(setting, x) };
			return panel.addGauge(title, def, x => this.choice.values.set(key, x));
		}));
	}

	// Only those of what is chosen.
	private showGauges(): void {
		const chosen = this.findChosen();
		for (const node of this.nodes) for (const gauge of node.gauges) gauge?.hide(node !== chosen);
	}

	choose(index: number): boolean {
		if (index > this.nodes.length || this.nodes.length < 2) return false;
		this.choice.name = index > 0 ? this.nodes[index - 1].name : "";
		if (this.list) this.list.selectedIndex = index;
		this.showGauges();
		this.onChange();
		return true;
	}

	aim(x: number, z: number): boolean {
		if (!this.findChosen()?.aims) return false;
		// To the millimetre: short numbers in a script.
		this.choice.x = Math.round(1000 * x) / 1000 + 0;
		this.choice.z = Math.round(1000 * z) / 1000 + 0;
		return true;
	}

	clearAim(): void {
		this.choice.x = this.choice.z = NaN;
	}

	show(tape: Tape, slot: number): void {
		const node = this.nodes[tape.nodes[slot]], chosen = this.findChosen();
		if (!chosen) return;
		for (let k = 0; k < chosen.settings.length; ++k) {
			const gauge = chosen.gauges[k], setting = chosen.settings[k], at = tape.parameterCount * slot + k;
			if (!gauge) continue;
			if (node !== chosen) gauge.show(NaN, "");
			else gauge.show(toNumber(setting.isAngle, tape.granted[at]), printMotion(setting, tape.requested[at], tape.granted[at], tape.nearest[at]));
		}
	}

	fill(wish: Wish, asked: Asked, heading: number): number {
		const request = this.getRequest(wish), node = request > 0 ? this.nodes[request - 1] : null;
		fillDirection(wish, asked, heading);
		asked.request = request;
		asked.speed = asked.turn = 0;
		asked.values = node ? node.asked : NOTHING;
		const isAimed = node !== null && node.aims && this.choice.x === this.choice.x, height = node ? node.meanings.indexOf("y") : -1;
		asked.targetX = isAimed ? this.choice.x : NaN;
		asked.targetY = isAimed ? (height >= 0 ? this.getValue(node, height) : 0) : NaN;
		asked.targetZ = isAimed ? this.choice.z : NaN;
		if (node) this.fillValues(node, wish, asked, isAimed);
		return 0;
	}

	getRadius(isRunning: boolean): number {
		return isRunning ? RUN_RADIUS : WALK_RADIUS;
	}

	// What nobody set gives way to what somebody asks for.
	private fillValues(node: Node, wish: Wish, asked: Asked, isAimed: boolean): void {
		const isSteered = asked.stickX !== 0 || asked.stickZ !== 0;
		for (let k = 0; k < node.asked.length; ++k) {
			const meaning = node.meanings[k], isSpeed = meaning === "speed" && isSteered;
			if (isSpeed && !wish.isAnalog) pushStick(asked, node.settings[k], this.getValue(node, k));
			const follows = !isSlider(meaning) || isSpeed || (meaning === "y" && isAimed) || !this.choice.values.has(node.keys[k]);
			node.asked[k] = follows ? NaN : this.getValue(node, k);
		}
	}

	private findChosen(): Node | null {
		return this.nodes.find(({ name }) => name === this.choice.name) ?? null;
	}

	private getValue(node: Node, k: number): number {
		return this.choice.values.get(node.keys[k]) ?? node.settings[k].usual;
	}

	// Who only goes walks, and with Shift runs.
	private getRequest(wish: Wish): number {
		const chosen = this.findChosen()?.request ?? 0, isGoing = chosen === 0 || chosen === this.walk;
		if (!isGoing || this.walk < 0) return chosen;
		return wish.run && this.run > 0 ? this.run : isActive(wish) ? this.walk : chosen;
	}
}

const NOTHING: readonly number[] = [];

/** Who pushes a stick less says nothing. */
const LEAST_PUSH = 0.12;

// As far as says that speed: so it may be less where somebody turns sharply.
function pushStick(asked: Asked, { low, high }: Setting, speed: number): void {
	const push = Math.min(Math.max((speed - low) / (high - low || 1), LEAST_PUSH), 1);
	asked.stickX = toStick(push * asked.stickX);
	asked.stickZ = toStick(push * asked.stickZ);
}

// Directions and places to hit are said otherwise; a slider says how high.
function isSlider(meaning: Meaning): boolean {
	return meaning === "plain" || meaning === "speed" || meaning === "y";
}

// What was granted, and what came of that if it is something else.
function printMotion(setting: Setting, requested: number, granted: number, achieved: number): string {
	const { isAngle } = setting, got = toNumber(isAngle, granted), has = printNumber(setting, toNumber(isAngle, achieved));
	const text = printAnswer(setting, toNumber(isAngle, requested), got, "granted");
	return printNumber(setting, got) === has ? text : `${text}, done ${has}`;
}

// As a script gives it back: a float, and no zero with a sign, which would turn who is to go straight back to the other side.
const toStick = (x: number) => Math.fround(x) + 0;

const round = (x: number) => Math.round(20 * x) / 20;

/** The first that fits takes a player. */
const kinds: readonly { fits(player: Player): boolean; create(player: Player, beside: Input | null): Input }[] = [
	{ fits: player => player.model === "pgraph", create: (player, beside) => new NodeInput(player, beside) },
	{ fits: player => player.parameters.length > 0, create: (player, beside) => new ParameterInput(player, beside) },
	{ fits: player => player.requests.includes("walk"), create: player => new GaitInput(player) },
	{ fits: () => true, create: () => new DirectionInput() },
];

/** beside: the controls of who is driven already; null where there is nobody. */
export function createInput(player: Player, beside: Input | null): Input {
	return kinds.find(kind => kind.fits(player))!.create(player, beside);
}
