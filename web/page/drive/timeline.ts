// The last minute as a strip: which clip was shown when, what rested, what was asked for.
import { EFFECTORS } from "../../play/reprise-play.ts";
import type { Session } from "./session.js";
import { RATE, SOURCES, type Tape } from "./tape.js";

const ROW = 17;
const GUTTER = 54;
/** The strip is so long at least, seconds: at first it is mostly empty. */
const SHORTEST = 10;

const leftBits = EFFECTORS.reduce((bits, name, e) => (/^left_(heel|ball|toe)$/.test(name) ? bits | (1 << e) : bits), 0);
const rightBits = EFFECTORS.reduce((bits, name, e) => (/^right_(heel|ball|toe)$/.test(name) ? bits | (1 << e) : bits), 0);

interface Row {
	title: string;
	/** The same number in ticks that belong together; below 0: nothing there. */
	key(tape: Tape, slot: number): number;
	text?(key: number): string;
	color(key: number): string;
}

export class Timeline {
	private readonly pen: CanvasRenderingContext2D;
	private readonly style = getComputedStyle(document.documentElement);

	constructor(private readonly canvas: HTMLCanvasElement) {
		this.pen = canvas.getContext("2d")!;
	}

	get gutter(): number {
		return GUTTER;
	}

	/** First and last tick that the strip shows. */
	range(tape: Tape): [number, number] {
		return [tape.first, Math.max(tape.count - 1, tape.first + SHORTEST * RATE)];
	}

	/** Where on the strip a tick is asked for, in CSS pixels. */
	pick(session: Session, x: number): number {
		const tape = session.main.character.tape, [first, last] = this.range(tape), width = this.canvas.clientWidth - GUTTER;
		return Math.min(Math.max(first + (x - GUTTER) / Math.max(width, 1) * (last - first), first), tape.count - 1);
	}

	draw(session: Session, time: number): void {
		const { canvas, pen } = this, rows = this.listRows(session), ratio = Math.min(devicePixelRatio || 1, 2);
		const width = canvas.clientWidth, height = rows.length * ROW + 4;
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.style.height = `${height}px`;
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
		}
		const tape = session.main.character.tape, [first, last] = this.range(tape), scale = (width - GUTTER) / (last - first);
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.clearRect(0, 0, width, height);
		pen.font = "11px system-ui, sans-serif";
		pen.textBaseline = "middle";
		rows.forEach((row, k) => this.drawRow(row, tape, k * ROW, first, scale));
		pen.fillStyle = this.color("--accent");
		pen.fillRect(GUTTER + scale * (time - first) - 0.75, 0, 1.5, height);
	}

	private color(name: string): string {
		return this.style.getPropertyValue(name).trim();
	}

	private listRows(session: Session): Row[] {
		const player = session.player, styles = this.color("--styles").split(/[ ,]+/), rests = (bits: number) => (tape: Tape, slot: number) => (tape.contacts[slot] & bits ? 1 : -1);
		const left = this.color("--left"), right = this.color("--right"), phase = this.color("--phase"), label = this.color("--label");
		const rows: Row[] = [
			{ title: "clip", key: (tape, slot) => tape.sourceClips[SOURCES * slot], text: key => player.clips[key] ?? "", color: key => (key % 2 ? label : phase) },
			{ title: "left", key: rests(leftBits), color: () => left },
			{ title: "right", key: rests(rightBits), color: () => right },
		];
		if (player.requests.length)
			rows.unshift({ title: "asked", key: (tape, slot) => tape.asked[5 * slot + 2], text: key => player.requests[key], color: key => styles[key % styles.length] });
		return rows;
	}

	private drawRow(row: Row, tape: Tape, y: number, first: number, scale: number): void {
		const pen = this.pen;
		pen.textAlign = "right";
		pen.fillStyle = this.color("--quiet");
		pen.fillText(row.title, GUTTER - 8, y + ROW / 2 + 0.5);
		for (let begin = first; begin < tape.count;) {
			const key = row.key(tape, tape.slot(begin));
			let end = begin + 1;
			while (end < tape.count && row.key(tape, tape.slot(end)) === key) ++end;
			if (key >= 0) this.drawRun(row, key, GUTTER + scale * (begin - first), GUTTER + scale * (end - first), y);
			begin = end;
		}
	}

	private drawRun(row: Row, key: number, x0: number, x1: number, y: number): void {
		const pen = this.pen, tall = row.text ? ROW - 4 : 7, width = Math.max(x1 - x0 - 1, 1);
		pen.fillStyle = row.color(key);
		pen.beginPath();
		pen.roundRect(x0, y + (ROW - tall) / 2, width, tall, Math.min(3.5, width / 2));
		pen.fill();
		if (!row.text || width < 26) return;
		pen.save();
		pen.clip();
		pen.textAlign = "left";
		pen.fillStyle = row.title === "asked" ? this.color("--panel") : this.color("--ink");
		pen.fillText(row.text(key), x0 + 5, y + ROW / 2 + 0.5);
		pen.restore();
	}
}
