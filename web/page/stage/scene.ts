// What a stage shows at a moment. Whoever fills a scene keeps it and fills it anew: drawing one makes no garbage.
// Metres, y up.

/** What a body looks like: as src/picture/figure.h. Points are numbered; who poses it says where each of them is. */
export interface Figure {
	readonly pointCount: number;
	readonly stature: number;
	/** from, to, radius there, radius here, side (0 middle, 1 left, 2 right), whether it is the neck. */
	readonly limbs: readonly (readonly [number, number, number, number, number, number])[];
	/** from, to, radius; null where none is known. */
	readonly head: readonly [number, number, number] | null;
}

/** Colours by what they mean; each theme has its own (page.css, --name). "style0" … are labels' along a path. */
export type Paint = "body" | "left" | "right" | "accent" | "quiet" | "ink" | "panel" | "other" | `style${number}`;

export interface Body {
	figure: Figure;
	/** x, y, z of each point of the figure. */
	points: Float32Array;
	/** 1, or less for a ghost. */
	opacity: number;
	/** One colour for all of it instead of those of its sides; of a second player, say. */
	paint: Paint | null;
	/** Shown above its head; "" for none. */
	name: string;
}

/** A line over the floor. */
export interface Line {
	/** x, y, z of each point; the first `count` of them. */
	points: Float32Array;
	count: number;
	paint: Paint;
	opacity: number;
	/** Pixels. */
	width: number;
	dashed: boolean;
}

/** A disc or a ring on the floor. */
export interface Mark {
	x: number;
	y: number;
	z: number;
	/** Metres. */
	radius: number;
	paint: Paint;
	opacity: number;
	isRing: boolean;
	/** Pixels of a ring's line; 2 if not given. */
	width?: number;
}

export interface Scene {
	/** Height of the floor. */
	floor: number;
	/** Only the first of each: lists keep their items for the next frame. */
	bodies: Body[];
	bodyCount: number;
	lines: Line[];
	lineCount: number;
	marks: Mark[];
	markCount: number;
}
