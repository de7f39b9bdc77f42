// What the driven character does, in words and figures beside it.
import type { Session, Driven } from "./session.js";
import { PHASES, RATE, SOURCES, type Tape } from "./tape.js";

const DEGREE = Math.PI / 180;

function find<T extends HTMLElement>(id: string): T {
	return document.getElementById(id) as T;
}

// Text is only set when it changed: layout costs more than comparing.
function put(element: HTMLElement, text: string): void {
	if (element.textContent !== text) element.textContent = text;
}

// With a minus that is one; nothing is less than nothing.
const number = (x: number, decimals: number) => x.toFixed(decimals).replace(/^-(?=[0.]*$)/, "").replace("-", "\u2212");

export class Readouts {
	private readonly rows: { row: HTMLElement; name: HTMLElement; bar: HTMLElement; time: HTMLElement }[] = [];
	private readonly moves = { speed: 0, turn: 0 };

	constructor() {
		const list = find("drive-sources");
		for (let k = 0; k < SOURCES; ++k) {
			const row = document.createElement("li"), bar = document.createElement("i"), name = document.createElement("b"), time = document.createElement("span");
			row.append(bar, name, time);
			list.append(row);
			this.rows.push({ row, name, bar, time });
		}
	}

	/** Show a tick of a session. */
	show(session: Session, tick: number): void {
		const { tape, player } = session.main.character, slot = tape.slot(tick);
		tape.measure(tick, this.moves);
		this.showSpeeds(tape, slot);
		put(find("drive-phase"), PHASES[tape.phases[slot]]);
		put(find("drive-doing"), tape.kinds[slot] || listLabels(tape, slot, player.labels));
		this.showSources(tape, slot, player.clips);
		this.showAnswers(session);
	}

	// Models of locomotion say what they were asked for when the movement was planned; graphs know directions alone.
	private showSpeeds(tape: Tape, slot: number): void {
		const wantedSpeed = tape.movement[4 * slot], wantedTurn = tape.movement[4 * slot + 1], hasWanted = Number.isFinite(wantedSpeed);
		put(find("drive-speed"), `${number(this.moves.speed, 2)} m/s`);
		put(find("drive-turn"), `${number(this.moves.turn / DEGREE, 0)}\u00b0/s`);
		put(find("drive-speed-wanted"), hasWanted ? `of ${number(wantedSpeed, 2)}` : "");
		put(find("drive-turn-wanted"), hasWanted ? `of ${number(wantedTurn / DEGREE, 0)}` : "");
	}

	private showSources(tape: Tape, slot: number, clips: readonly string[]): void {
		this.rows.forEach(({ row, name, bar, time }, k) => {
			const at = SOURCES * slot + k, clip = tape.sourceClips[at], weight = tape.sourceWeights[at];
			row.hidden = clip < 0 || weight < 0.005;
			if (row.hidden) return;
			put(name, clips[clip] ?? `clip ${clip}`);
			put(time, `${tape.sourceTimes[at].toFixed(2)} s, ${Math.round(100 * weight)} %`);
			bar.style.width = `${(100 * weight).toFixed(1)}%`;
		});
	}

	private showAnswers(session: Session): void {
		put(find("drive-answer"), printAnswer(session.main));
		const rival = session.rival;
		find("drive-rival-row").hidden = find("drive-rival-answer").hidden = rival === null;
		if (rival) {
			put(find("drive-rival-name"), rival.character.def.name);
			put(find("drive-rival-answer"), printAnswer(rival));
		}
	}
}

function printAnswer({ answers }: Driven): string {
	if (answers.count === 0) return "\u2013";
	const ms = (seconds: number) => `${Math.round(1000 * seconds)}`;
	return `${ms(answers.last)} ms (mean ${ms(answers.sum / answers.count)})`;
}

function listLabels(tape: Tape, slot: number, names: readonly string[]): string {
	const bits = tape.labels;
	return names.filter((_, k) => (bits[2 * slot + (k >> 5)] >>> (k & 31)) & 1).join(", ");
}

/** Seconds of a tick, as a clock shows them. */
export function printTime(tick: number): string {
	return (tick / RATE).toFixed(2);
}
