// The last minute as a strip: which clip was shown when, what rested, what was asked for.
import { EFFECTORS, type Player } from "../../play/reprise-play.ts";
import { printRequest } from "./readouts.js";
import type { Session } from "./session.js";
import { RATE, SOURCES, type Tape } from "./tape.js";

const ROW = 17;
const GUTTER = 54;
/** The strip is so long at least, seconds: at first it is mostly empty. */
const SHORTEST = 10;
/** A run that is narrower, in pixels, bears no text. */
const LEAST_TEXT = 26;

const leftBits = EFFECTORS.reduce((bits, name, e) => (/^left_(heel|ball|toe)$/.test(name) ? bits | (1 << e) : bits), 0);
const rightBits = EFFECTORS.reduce((bits, name, e) => (/^right_(heel|ball|toe)$/.test(name) ? bits | (1 << e) : bits), 0);

/** Nodes of a graph, at most. */
const NODES = 32;

interface Row {
	title: string;
	/** The same whole number in ticks that belong together; below 0: nothing there. */
	key(tape: Tape, slot: number): number;
	/** What stands in a run of a key; none for a row of bars. */
	print: ((key: number) => string) | null;
	/** By keys, over and over, or by what a key says. */
	colors: readonly string[];
	color?(key: number): number;
	ink: string;
}

function readColors() {
	const style = getComputedStyle(document.documentElement), get = (name: string) => style.getPropertyValue(name).trim();
	return {
		accent: get("--accent"), quiet: get("--quiet"), ink: get("--ink"), panel: get("--panel"), left: get("--left"), right: get("--right"),
		phase: get("--phase"), label: get("--label"), styles: get("--styles").split(/[ ,]+/),
	};
}

function listRows(player: Player, colors: ReturnType<typeof readColors>): Row[] {
	const rests = (bits: number) => (tape: Tape, slot: number) => (tape.contacts[slot] & bits ? 0 : -1), { ink, panel } = colors;
	const rows: Row[] = [
		{ title: "clip", key: (tape, slot) => tape.sourceClips[SOURCES * slot], print: key => player.clips[key] ?? "", colors: [colors.phase, colors.label], ink },
		{ title: "left", key: rests(leftBits), print: null, colors: [colors.left], ink },
		{ title: "right", key: rests(rightBits), print: null, colors: [colors.right], ink },
	];
	if (player.requests.length)
		rows.unshift({ title: "asked", key: (tape, slot) => tape.asked[5 * slot + 2] | 0, print: key => player.requests[key] ?? "", colors: colors.styles, ink: panel });
	if (player.model === "pgraph") {
		rows.shift();
		const node = (key: number) => key % NODES;
		rows.unshift(
			{ title: "asked", key: (tape, slot) => tape.asked[5 * slot + 2] - 1, print: key => printRequest(player, key + 1), colors: colors.styles, ink: panel },
			{ title: "does", key: (tape, slot) => NODES * tape.motions[slot] + tape.nodes[slot], print: key => printRequest(player, node(key) + 1), colors: colors.styles, color: node, ink: panel },
		);
	}
	if (player.parameters.length)
		rows.unshift({ title: "motion", key: (tape, slot) => tape.motions[slot], print: key => String(key + 1), colors: colors.styles, ink: panel });
	return rows;
}

export class Timeline {
	private readonly pen: CanvasRenderingContext2D;
	private colors = readColors();
	/** Of a player. */
	private rows: Row[] = [];
	private player: Player | null = null;
	/** CSS pixels. Asked of the canvas for each drawing, it would be laid out each time. */
	private width: number;

	constructor(private readonly canvas: HTMLCanvasElement) {
		this.pen = canvas.getContext("2d")!;
		this.width = canvas.clientWidth;
		new ResizeObserver(() => { this.width = canvas.clientWidth; }).observe(canvas);
	}

	/** Read the colours of the page anew: light or dark. */
	readColors(): void {
		this.colors = readColors();
		this.player = null;
	}

	/** The last tick that the strip shows. */
	findLast(tape: Tape): number {
		return Math.max(tape.count - 1, tape.first + SHORTEST * RATE);
	}

	/** Where on the strip a tick is asked for, in CSS pixels. */
	pick(session: Session, x: number): number {
		const tape = session.main.character.tape, first = tape.first, width = this.width - GUTTER;
		return Math.min(Math.max(first + (x - GUTTER) / Math.max(width, 1) * (this.findLast(tape) - first), first), tape.count - 1);
	}

	draw(session: Session, time: number): void {
		const { canvas, pen, width } = this, rows = this.getRows(session.player), ratio = Math.min(devicePixelRatio || 1, 2);
		const height = rows.length * ROW + 4;
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.style.height = `${height}px`;
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
		}
		const tape = session.main.character.tape, first = tape.first, scale = (width - GUTTER) / (this.findLast(tape) - first);
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.clearRect(0, 0, width, height);
		pen.font = "11px system-ui, sans-serif";
		pen.textBaseline = "middle";
		for (let k = 0; k < rows.length; ++k) this.drawRow(rows[k], tape, k * ROW, scale);
		pen.fillStyle = this.colors.accent;
		pen.fillRect(GUTTER + scale * (time - first) - 0.75, 0, 1.5, height);
	}

	private getRows(player: Player): Row[] {
		if (this.player !== player) this.rows = listRows(player, this.colors);
		this.player = player;
		return this.rows;
	}

	// Whole pixels are crisp, and no garbage when a pen gets them.
	private drawRow(row: Row, tape: Tape, y: number, scale: number): void {
		const pen = this.pen, first = tape.first, count = tape.count;
		pen.textAlign = "right";
		pen.fillStyle = this.colors.quiet;
		pen.fillText(row.title, GUTTER - 8, y + (ROW >> 1) + 1);
		for (let begin = first; begin < count;) {
			const key = row.key(tape, tape.slot(begin));
			let end = begin + 1;
			while (end < count && row.key(tape, tape.slot(end)) === key) ++end;
			if (key >= 0) this.drawRun(row, key, GUTTER + Math.round(scale * (begin - first)), GUTTER + Math.round(scale * (end - first)), y);
			begin = end;
		}
	}

	private drawRun(row: Row, key: number, x0: number, x1: number, y: number): void {
		const pen = this.pen, tall = row.print ? ROW - 4 : 7, width = Math.max(x1 - x0 - 1, 1);
		pen.fillStyle = row.colors[(row.color ? row.color(key) : key) % row.colors.length];
		pen.beginPath();
		pen.roundRect(x0, y + ((ROW - tall) >> 1), width, tall, width > 6 ? 3 : width >> 1);
		pen.fill();
		if (!row.print || width < LEAST_TEXT) return;
		pen.save();
		pen.clip();
		pen.textAlign = "left";
		pen.fillStyle = row.ink;
		pen.fillText(row.print(key), x0 + 5, y + (ROW >> 1) + 1);
		pen.restore();
	}
}
