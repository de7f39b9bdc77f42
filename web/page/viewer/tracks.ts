// The tracks under the time bar: labels, phases, and a row for each effector that touches.
import type { ContactData, Named } from "../data.js";
import { paintOfSide, type Palette } from "../stage/colors.js";
import { getPixelRatio } from "../stage/stage.js";
import type { Clip } from "./clip.js";
import type { State } from "./state.js";

// Pixels: of a row, of a contact in it, and of what is left free before the rows for their names.
const ROW = 17, CONTACT = 7, GUTTER = 78, NARROW_GUTTER = 54, NO_GUTTER = 8;

// Labels that overlap take more rows, up to so many.
const MAX_LABEL_ROWS = 4;

type Row = { readonly title: string } & (
	| { readonly kind: "label" | "phase"; readonly items: readonly Named[] }
	| { readonly kind: "contact"; readonly items: readonly ContactData[] });

function listLabelRows(labels: readonly Named[]): Row[] {
	const rows: Named[][] = [];
	for (const label of labels) {
		const row = rows.find(items => items[items.length - 1].end <= label.start + 1e-9);
		if (row) row.push(label); else rows.push([label]);
	}
	return rows.slice(0, MAX_LABEL_ROWS).map((items, k) => ({ title: k ? "" : "label", kind: "label", items }));
}

// Left above right, heel above ball; hands and seat come last.
const ORDER = ["left_heel", "left_ball", "left_toe", "right_heel", "right_ball", "right_toe"];

function listContactRows(contacts: readonly ContactData[]): Row[] {
	const effectors = new Map<string, ContactData[]>(), rank = (name: string) => ORDER.indexOf(name) + 1 || ORDER.length + 1;
	for (const contact of contacts) {
		if (!effectors.has(contact.name)) effectors.set(contact.name, []);
		effectors.get(contact.name)!.push(contact);
	}
	return [...effectors].sort((a, b) => rank(a[0]) - rank(b[0]))
		.map(([name, items]) => ({ title: name.replace("left", "L").replace("right", "R").replace("_", " "), kind: "contact", items }));
}

function listRows(clip: Clip): Row[] {
	const { labels, phases, contacts } = clip.data;
	return [...listLabelRows(labels), ...(phases.length ? [{ title: "phase", kind: "phase", items: phases } as const] : []), ...listContactRows(contacts)];
}

export class Tracks {
	private rows: Row[] = [];
	// Tracks are painted once, on a sheet of their own, and shown with the playhead over them.
	private readonly sheet = document.createElement("canvas");
	private readonly ink = this.sheet.getContext("2d")!;
	private readonly pen: CanvasRenderingContext2D;
	private isStale = true;

	constructor(private readonly canvas: HTMLCanvasElement, private readonly bar: HTMLElement, private readonly state: State,
		private readonly palette: Palette, private readonly narrow: MediaQueryList) {
		this.pen = canvas.getContext("2d")!;
		const seek = (event: PointerEvent) => {
			const box = canvas.getBoundingClientRect(), left = this.gutter;
			state.setTime((event.clientX - box.left - left) / Math.max(box.width - left, 1) * state.duration);
		};
		canvas.addEventListener("pointerdown", event => {
			canvas.setPointerCapture(event.pointerId);
			seek(event);
		});
		canvas.addEventListener("pointermove", event => { if (event.buttons) seek(event); });
	}

	// No names are to be written where there are no rows.
	private get gutter(): number {
		return !this.rows.length ? NO_GUTTER : this.narrow.matches ? NARROW_GUTTER : GUTTER;
	}

	/** Pixels a second. */
	private get scale(): number {
		return (this.canvas.clientWidth - this.gutter) / (this.state.duration || 1);
	}

	/** Fit the canvas to the rows of the main clip and to the page. */
	layOut(): void {
		const { canvas, state } = this, width = canvas.clientWidth, ratio = getPixelRatio();
		this.rows = state.main ? listRows(state.main) : [];
		this.bar.style.setProperty("--gutter", this.gutter + "px");
		const height = Math.max(this.rows.length * ROW + 4, 6);
		canvas.style.height = height + "px";
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		this.repaint();
	}

	/** Colours or clips are others now. */
	repaint(): void {
		this.isStale = true;
		this.state.touch();
	}

	private colorOf(row: Row, item: Named, main: Clip): string {
		if (row.kind === "contact") return this.palette.css(paintOfSide((item as ContactData).side));
		// A clip along a path has its labels in the colours that they have there.
		if (row.kind === "label" && main.styles) return this.palette.css(this.palette.paintOfStyle(main.styles.names.indexOf(item.name)));
		return this.palette.css(row.kind);
	}

	private paintItem(row: Row, item: Named, main: Clip, y: number): void {
		const { ink, scale, gutter } = this, x = gutter + scale * item.start, width = Math.max(scale * (item.end - item.start) - 1, 1);
		const height = row.kind === "contact" ? CONTACT : ROW - 4;
		ink.fillStyle = this.colorOf(row, item, main);
		ink.beginPath();
		ink.roundRect(x, y + (ROW - height) / 2, width, height, Math.min(3.5, width / 2));
		ink.fill();
		if (row.kind === "contact" || width <= 12) return;
		ink.save();
		ink.clip();
		ink.fillStyle = this.palette.css(row.kind === "phase" ? "quiet" : main.styles ? "panel" : "label-ink");
		ink.textAlign = width > 60 ? "left" : "center";
		ink.fillText(item.name, width > 60 ? x + 6 : x + width / 2, y + ROW / 2 + 0.5);
		ink.restore();
	}

	private paintSheet(main: Clip): void {
		const { ink, sheet, canvas, gutter, palette } = this, ratio = getPixelRatio();
		sheet.width = canvas.width;
		sheet.height = canvas.height;
		ink.setTransform(ratio, 0, 0, ratio, 0, 0);
		ink.font = "11px system-ui, sans-serif";
		ink.textBaseline = "middle";
		this.rows.forEach((row, k) => {
			ink.textAlign = "right";
			ink.fillStyle = palette.css("quiet");
			ink.fillText(row.title, gutter - 10, k * ROW + ROW / 2 + 0.5);
			for (const item of row.items) this.paintItem(row, item, main, k * ROW);
		});
		ink.fillStyle = palette.css("quiet");
		ink.globalAlpha = 0.35;
		for (const event of main.data.events) ink.fillRect(gutter + this.scale * event.time, 0, 1, canvas.clientHeight);
		ink.globalAlpha = 1;
	}

	/** Show the tracks of the main clip, and where time is. */
	draw(main: Clip): void {
		const { pen, canvas } = this, ratio = getPixelRatio();
		if (this.isStale) this.paintSheet(main);
		this.isStale = false;
		pen.setTransform(1, 0, 0, 1, 0, 0);
		pen.clearRect(0, 0, canvas.width, canvas.height);
		pen.drawImage(this.sheet, 0, 0);
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.fillStyle = this.palette.css("accent");
		pen.fillRect(this.gutter + this.scale * this.state.time - 0.75, 0, 1.5, canvas.clientHeight);
	}
}
