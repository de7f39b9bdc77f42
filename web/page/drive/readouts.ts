// What the driven character does, in words and figures beside it.
import { findMeaning, isPlace } from "./parameter.js";
import type { Player } from "../../play/reprise-play.ts";
import type { Session, Driven } from "./session.js";
import { PHASES, RATE, SOURCES, type Tape } from "./tape.js";

const DEGREE = Math.PI / 180;

function find<T extends HTMLElement>(id: string): T {
	return document.getElementById(id) as T;
}

/** Text on the page that follows from a whole number: it is made and set only when another one is shown. */
class Shown {
	private last: number | null = null;

	constructor(private readonly element: HTMLElement, private readonly print: (x: number) => string) {
	}

	/** Not a number: nothing. */
	show(x: number): void {
		if (Object.is(x, this.last)) return;
		this.last = x;
		this.element.textContent = x === x ? this.print(x) : "";
	}
}

// With a minus that is one.
const whole = (x: number) => (x < 0 ? `\u2212${-x}` : `${x}`);
const hundredths = (x: number) => (x < 0 ? "\u2212" : "") + (Math.abs(x) / 100).toFixed(2);

// Nothing is less than nothing.
const round = (x: number) => Math.round(x) + 0;

/** What is played, from which time on and how much of it is seen. */
class SourceRow {
	private readonly row = document.createElement("li");
	private readonly bar = document.createElement("i");
	private readonly name = document.createElement("b");
	private readonly time = document.createElement("span");
	private lastClip = "";
	private lastTime = -1;
	private lastPart = -1;

	constructor(list: HTMLElement) {
		this.row.append(this.bar, this.name, this.time);
		list.append(this.row);
	}

	hide(isHidden: boolean): void {
		if (this.row.hidden !== isHidden) this.row.hidden = isHidden;
	}

	/** Hundredths of a second, thousandths of what is seen. */
	show(clip: string, time: number, part: number): void {
		if (clip !== this.lastClip) this.name.textContent = clip;
		if (part !== this.lastPart) this.bar.style.width = `${part / 10}%`;
		if (time !== this.lastTime || part !== this.lastPart) this.time.textContent = `${hundredths(time)} s, ${Math.round(part / 10)} %`;
		this.lastClip = clip;
		this.lastTime = time;
		this.lastPart = part;
	}
}

/** How soon somebody answers. */
class Answers {
	private lastCount = -1;
	private lastSum = -1;

	constructor(private readonly element: HTMLElement) {
	}

	show({ answers }: Driven): void {
		if (answers.count === this.lastCount && answers.sum === this.lastSum) return;
		this.lastCount = answers.count;
		this.lastSum = answers.sum;
		const ms = (seconds: number) => Math.round(1000 * seconds);
		this.element.textContent = answers.count === 0 ? "\u2013" : `${ms(answers.last)} ms (mean ${ms(answers.sum / answers.count)})`;
	}
}

export class Readouts {
	private readonly rows: SourceRow[] = [];
	private readonly moves = { speed: 0, turn: 0 };
	private readonly speed = new Shown(find("drive-speed"), x => `${hundredths(x)} m/s`);
	private readonly turn = new Shown(find("drive-turn"), x => `${whole(x)}\u00b0/s`);
	private readonly wantedSpeed = new Shown(find("drive-speed-wanted"), x => `of ${hundredths(x)}`);
	private readonly wantedTurn = new Shown(find("drive-turn-wanted"), x => `of ${whole(x)}`);
	private readonly course = new Shown(find("drive-course"), x => (x === 0 ? "as asked" : `${Math.abs(x)}\u00b0 to the ${x > 0 ? "left" : "right"}`));
	private readonly phase = new Shown(find("drive-phase"), x => PHASES[x] ?? "");
	private readonly doing = find("drive-doing");
	private readonly seam = find("drive-seam");
	private readonly aim = find("drive-aim");
	private readonly answers = new Answers(find("drive-answer"));
	private readonly rivalAnswers = new Answers(find("drive-rival-answer"));
	/** What the character is said to be doing: a movement, or labels by their bits. */
	private kind: string | null = null;
	private low = 0;
	private high = 0;
	private motion = -1;
	/** Whose texts are shown. */
	private session: Session | null = null;

	constructor() {
		const list = find("drive-sources");
		for (let k = 0; k < SOURCES; ++k) this.rows.push(new SourceRow(list));
	}

	/** Show a tick of a session. */
	show(session: Session, tick: number): void {
		const { tape, player } = session.main.character, slot = tape.slot(tick);
		if (session !== this.session) this.begin(session);
		tape.measure(tick, this.moves);
		this.showSpeeds(tape, tick);
		this.phase.show(tape.phases[slot]);
		if (tape.hasNodes) this.showNode(tape, slot, player);
		else if (player.parameters.length > 0) this.showMotion(tape.motions[slot]);
		else this.showDoing(tape, slot, player.labels);
		session.main.input.show(tape, slot);
		this.showSources(tape, slot, player.clips);
		this.answers.show(session.main);
		if (session.rival) this.rivalAnswers.show(session.rival);
	}

	private begin(session: Session): void {
		const { main, rival } = session;
		// Those who are asked for a direction keep one, and answer.
		const isAsked = main.input.goes || (rival !== null && rival.input.goes);
		for (const [id, isSaid] of [["drive-course", isAsked], ["drive-answer", isAsked], ["drive-seam", main.character.tape.hasNodes], ["drive-aim", main.input.aims]] as const) {
			const said = find(id);
			said.hidden = (said.previousElementSibling as HTMLElement).hidden = !isSaid;
		}
		this.session = session;
		this.kind = null;
		this.motion = -1;
		find("drive-rival-row").hidden = find("drive-rival-answer").hidden = rival === null;
		find("drive-rival-name").textContent = rival ? rival.character.def.name : "";
	}

	// Models of locomotion say what they were asked for when the movement was planned; graphs know directions alone.
	private showSpeeds(tape: Tape, tick: number): void {
		const slot = tape.slot(tick);
		this.speed.show(round(100 * this.moves.speed));
		this.turn.show(round(this.moves.turn / DEGREE));
		this.course.show(round(tape.measureCourse(tick) / DEGREE));
		this.wantedSpeed.show(round(100 * tape.movement[4 * slot]));
		this.wantedTurn.show(round(tape.movement[4 * slot + 1] / DEGREE));
	}

	private showMotion(motion: number): void {
		if (motion !== this.motion) this.doing.textContent = `motion ${motion + 1}`;
		this.motion = motion;
	}

	private showNode(tape: Tape, slot: number, player: Player): void {
		const motion = tape.motions[slot];
		if (motion === this.motion) return;
		this.motion = motion;
		this.doing.textContent = `${printRequest(player, tape.nodes[slot] + 1)}, motion ${motion + 1}`;
		this.seam.textContent = motion > 0 ? printSeam(tape.seams[2 * slot], tape.seams[2 * slot + 1], tape.repairs[slot]) : "\u2013";
		this.aim.textContent = printMiss(measureMiss(tape, slot, player));
	}

	private showDoing(tape: Tape, slot: number, labels: readonly string[]): void {
		const kind = tape.kinds[slot], low = tape.labels[2 * slot], high = tape.labels[2 * slot + 1];
		if (kind === this.kind && low === this.low && high === this.high) return;
		this.kind = kind;
		this.low = low;
		this.high = high;
		this.doing.textContent = kind || labels.filter((_, k) => ((k < 32 ? low : high) >>> (k & 31)) & 1).join(", ");
	}

	private showSources(tape: Tape, slot: number, clips: readonly string[]): void {
		for (let k = 0; k < SOURCES; ++k) {
			const at = SOURCES * slot + k, clip = tape.sourceClips[at], weight = tape.sourceWeights[at], isHidden = clip < 0 || weight < 0.005;
			this.rows[k].hide(isHidden);
			if (!isHidden) this.rows[k].show(clips[clip] ?? `clip ${clip}`, Math.round(100 * tape.sourceTimes[at]), Math.round(1000 * weight));
		}
	}
}

/** What is requested, for people: of a parametric graph the first request is any node. */
export function printRequest(player: Player, request: number): string {
	return player.model === "pgraph" && request === 0 ? "as it goes" : player.requests[request].replace(/_/g, " ");
}

// How far what was done is from what was asked of a motion that hits a place, metres; not a number for others.
function measureMiss(tape: Tape, slot: number, player: Player): number {
	const parameters = player.parametersOf(tape.nodes[slot] + 1), at = tape.parameterCount * slot;
	let sum = 0, count = 0;
	for (let k = 0; k < parameters.length; ++k) {
		if (!isPlace(findMeaning(parameters[k]))) continue;
		sum += (tape.requested[at + k] - tape.nearest[at + k]) ** 2;
		++count;
	}
	return count > 0 ? Math.sqrt(sum) : NaN;
}

// People see no less than a centimetre.
function printMiss(miss: number): string {
	return miss !== miss ? "\u2013" : miss < 0.01 ? "on target" : `${miss.toFixed(2)} m off`;
}

// How far poses were apart, and what became of it.
function printSeam(distance: number, bad: number, repairs: number): string {
	const mm = (metres: number) => (1000 * metres).toFixed(metres < 0.02 ? 1 : 0), tried = repairs > 0 ? ", repaired" : repairs < 0 ? ", forced" : "";
	return `${mm(distance)} of ${mm(bad)} mm${tried}`;
}

/** Seconds of a tick, as a clock shows them. */
export function printTime(tick: number): string {
	return (tick / RATE).toFixed(2);
}
