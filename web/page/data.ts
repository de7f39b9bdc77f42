// What a page holds, as src/picture/page.c writes it into <script id="data">: JSON, and in it bytes as base64, of which some
// are compressed (zlib). Times are seconds, places metres.

/** A stretch of time with a name. */
export interface Named {
	readonly name: string;
	readonly start: number;
	readonly end: number;
}

export interface ContactData extends Named {
	/** 0 neither, 1 left, 2 right. */
	readonly side: number;
	readonly radius: number;
	readonly at: readonly [number, number, number];
}

/** What a body looks like, as src/picture/figure.h has it; points are numbered. */
export interface FigureData {
	readonly pointCount: number;
	readonly stature: number;
	/** from, to, radius there, radius here, side, whether it is the neck. */
	readonly limbs: readonly (readonly [number, number, number, number, number, number])[];
	/** from, to, radius. */
	readonly head: readonly [number, number, number] | null;
}

export interface ClipData extends FigureData {
	readonly name: string;
	/** Of the motion. */
	readonly fps: number;
	readonly frames: number;
	readonly duration: number;
	readonly joints: number;
	readonly heading: number;
	readonly floor: number;
	readonly labels: readonly Named[];
	readonly phases: readonly Named[];
	readonly contacts: readonly ContactData[];
	readonly events: readonly { readonly name: string; readonly time: number }[];
	/** The path that it was to follow: time, x, z of each point. */
	readonly wanted?: readonly number[];
	/** Of what is shown: frames per second, how many; offsets of 32767 are `reach` metres. */
	readonly rate: number;
	readonly count: number;
	readonly reach: number;
	/** float32 x, y, z of the root in each frame; int16 x, y, z of each point of each frame, from the root: base64. */
	root: string | null;
	data: string | null;
}

/** A model that can be driven. */
export interface ModelData extends FigureData {
	readonly name: string;
	/** Where each point of the figure is: a joint, and x, y, z in the joint's frame. */
	readonly points: readonly (readonly [number, number, number, number])[];
	/** The bundle's bytes: zlib, base64. */
	bundle: string | null;
}

export interface PageData {
	readonly clips: ClipData[];
	readonly models: ModelData[];
	/** reprise-play.wasm: zlib, base64; null without models. */
	readonly runtime: string | null;
}
