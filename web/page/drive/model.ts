// The models of a page, opened when they are first driven.
import { createEngine, type Bundle, type Engine, type Player, type PlayerOptions } from "../../play/reprise-play.ts";
import { decodeBase64, inflate } from "../bytes.js";
import type { ModelData, PageData } from "../data.js";
import type { Figure } from "../stage/scene.js";
import type { FigurePoints } from "./tape.js";

export class Model {
	readonly name: string;
	readonly figure: Figure;
	readonly points: FigurePoints;
	private bundle: Bundle | null = null;

	constructor(private readonly data: ModelData, private readonly engine: Engine) {
		this.name = data.name;
		this.figure = data;
		const joints = new Int16Array(data.points.map(point => point[0]));
		this.points = {
			count: data.points.length,
			joints: Int32Array.from(joints),
			offsets: Float32Array.from(data.points.flatMap(point => point.slice(1))),
		};
	}

	/** Unpack it; a RepriseError where it is damaged. */
	async open(): Promise<void> {
		if (this.bundle) return;
		if (this.data.bundle === null) throw new Error(`"${this.name}" is damaged`);
		this.bundle = this.engine.openBundle(await inflate(decodeBase64(this.data.bundle)));
		this.data.bundle = null;
	}

	createPlayer(options: PlayerOptions): Player {
		if (!this.bundle) throw new Error(`"${this.name}" is not open`);
		return this.bundle.createPlayer(options);
	}
}

/** The runtime and the models that it plays, none of them opened yet. */
export async function openModels(page: PageData): Promise<Model[]> {
	if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly");
	if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot unpack zlib streams (DecompressionStream)");
	if (page.runtime === null) throw new Error("the page holds no runtime");
	const engine = await createEngine(await inflate(decodeBase64(page.runtime)));
	return page.models.map(data => new Model(data, engine));
}
