// Players of Reprise in JavaScript. What is public, and how to use it, is in public/reprise-play.d.ts.

import { checkBytes, RepriseError } from "./error.ts";
import { PlayedBundle } from "./player.ts";
import type { Bundle, Engine, Player, PlayerOptions } from "./public/reprise-play.d.ts";
import { type Exports, Runtime } from "./runtime.ts";
import { readWasm, type WasmSource } from "./wasm_source.ts";

export { RepriseError };
export type {
	Bundle, EndSite, Engine, GaitLimits, Joint, Layer, LayerDefs, MovementReport, Parameter, ParametricReport, Player, PlayerInput,
	PlayerOptions, Pose, Report, Skeleton, SpaceReport, Start,
} from "./public/reprise-play.d.ts";

export const EFFECTORS: readonly string[] = [
	"left_heel", "left_ball", "left_toe", "right_heel", "right_ball", "right_toe", "left_hand", "right_hand", "seat",
];

class PlayEngine implements Engine {
	readonly version: string;

	constructor(private readonly runtime: Runtime) {
		this.version = runtime.text(runtime.exports.getVersion());
	}

	openBundle(bytes: Uint8Array | ArrayBuffer): Bundle {
		return PlayedBundle.open(this.runtime, checkBytes(bytes, "a bundle's bytes"));
	}

	get memorySize(): number {
		return this.runtime.exports.memory.buffer.byteLength;
	}
}

async function compile(wasm: Uint8Array | ArrayBuffer | WebAssembly.Module): Promise<WebAssembly.Module> {
	if (wasm instanceof WebAssembly.Module) return wasm;
	const bytes = checkBytes(wasm, "wasm");
	try {
		return await WebAssembly.compile(bytes);
	} catch (error) {
		throw new RepriseError("format", `these bytes are no reprise-play.wasm: ${(error as Error).message}`);
	}
}

export async function createEngine(wasm: Uint8Array | ArrayBuffer | WebAssembly.Module): Promise<Engine> {
	const module = await compile(wasm);
	if (!WebAssembly.Module.exports(module).some(one => one.name === "getLayout")) {
		throw new RepriseError("format", "this is no reprise-play.wasm, but another WebAssembly module");
	}
	const instance = await WebAssembly.instantiate(module, {});
	return new PlayEngine(new Runtime(instance.exports as unknown as Exports));
}

// What loadBundle shares; made by its first call, and again if that failed.
let sharedEngine: Promise<Engine> | null = null;

async function makeEngine(source?: WasmSource): Promise<Engine> {
	return createEngine(await readWasm(source));
}

export async function loadBundle(bytes: Uint8Array | ArrayBuffer, options: PlayerOptions & { wasm?: WasmSource } = {}): Promise<Player> {
	const making = (sharedEngine ??= makeEngine(options.wasm));
	const engine = await making.catch(error => {
		if (sharedEngine === making) sharedEngine = null;
		throw error;
	});
	const bundle = engine.openBundle(bytes) as PlayedBundle;
	try {
		const player = bundle.createPlayer(options);
		bundle.isShortLived = true;
		return player;
	} catch (error) {
		bundle.destroy();
		throw error;
	}
}
