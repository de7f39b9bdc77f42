// The page's colours as numbers: page.css has them as variables, one set for light pages and one for dark.
import type { Paint } from "./scene.js";

/** Red, green, blue and opacity, 0 to 255. */
export type Color = readonly [number, number, number, number];

const NAMES = ["ink", "quiet", "accent", "grid", "body", "left", "right", "other", "edge", "shadow", "label", "phase", "line",
	"label-ink", "panel"] as const;
export type ColorName = (typeof NAMES)[number];

const WHITE: Color = [255, 255, 255, 255];
const SIDES: readonly Paint[] = ["body", "left", "right"];

/** The paint of a limb's side: 0 middle, 1 left, 2 right. */
export function paintOfSide(side: number): Paint {
	return SIDES[side] ?? "body";
}

export function mixColors(a: Color, b: Color, t: number): Color {
	const mix = (i: number) => Math.round(a[i] + t * (b[i] - a[i]));
	return [mix(0), mix(1), mix(2), a[3]];
}

export function formatColor(color: Color): string {
	return `rgba(${color[0]},${color[1]},${color[2]},${(color[3] / 255).toFixed(3)})`;
}

/** What a limb of one colour is painted with, from its lit side to its outline. */
export interface Tones {
	readonly light: string;
	readonly base: string;
	readonly dark: string;
	readonly edge: string;
}

// How far a limb's colour goes to white in the light, and to the edge's in the dark and at its outline.
export const LIGHT = 0.26, DARK = 0.3, EDGE = 0.55;

export class Palette {
	private readonly colors = new Map<string, Color>();
	private readonly tones = new Map<string, Tones>();
	private styleCount = 0;

	constructor() {
		this.read();
	}

	/** Read the colours of the page as it is now. */
	read(): void {
		const style = getComputedStyle(document.documentElement), pen = document.createElement("canvas").getContext("2d")!;
		this.colors.clear();
		this.tones.clear();
		for (const name of NAMES) {
			const text = style.getPropertyValue("--" + name).trim();
			if (text) this.colors.set(name, parseColor(text, pen));
		}
		const styles = style.getPropertyValue("--styles").trim().split(/[ ,]+/).filter(text => text);
		styles.forEach((text, i) => this.colors.set(`style${i}`, parseColor(text, pen)));
		this.styleCount = styles.length;
	}

	/** The colour of a paint or of a variable; that of accents where the page has none of that name. */
	get(name: Paint | ColorName): Color {
		return this.colors.get(name) ?? this.colors.get("accent") ?? WHITE;
	}

	css(name: Paint | ColorName): string {
		return formatColor(this.get(name));
	}

	/** The paint of a style's number; there may be more styles than colours. */
	paintOfStyle(style: number): Paint {
		return style < 0 || !this.styleCount ? "accent" : `style${style % this.styleCount}`;
	}

	tonesOf(paint: Paint): Tones {
		let tones = this.tones.get(paint);
		if (!tones) {
			const color = this.get(paint), edge = this.get("edge");
			tones = {
				light: formatColor(mixColors(color, WHITE, LIGHT)),
				base: formatColor(color),
				dark: formatColor(mixColors(color, edge, DARK)),
				edge: formatColor(mixColors(color, edge, EDGE)),
			};
			this.tones.set(paint, tones);
		}
		return tones;
	}
}

// A canvas understands every notation that CSS has, and answers with #rrggbb or rgba(r, g, b, a).
function parseColor(text: string, pen: CanvasRenderingContext2D): Color {
	pen.fillStyle = "#000";
	pen.fillStyle = text;
	const plain = pen.fillStyle;
	if (plain.startsWith("#")) return [1, 3, 5].map(i => parseInt(plain.slice(i, i + 2), 16)).concat(255) as unknown as Color;
	const parts = plain.match(/[\d.]+/g)!.map(Number);
	return [parts[0], parts[1], parts[2], Math.round(255 * (parts[3] ?? 1))];
}
