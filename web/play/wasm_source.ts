// Where the compiled runtime comes from: bytes, a URL, or the file beside this module.

import { checkBytes, RepriseError } from "./error.ts";

export type WasmSource = string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module;

// Decoded here, since a page's policy may forbid to fetch what is in the page already.
function decodeDataUrl(url: string): Uint8Array {
	const comma = url.indexOf(","), body = url.slice(comma + 1);
	const text = body.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
	const bytes = /;base64$/i.test(url.slice(0, comma)) ? atob(text) : text;
	return Uint8Array.from(bytes, character => character.charCodeAt(0));
}

function isNode(): boolean {
	const host = globalThis as { process?: { versions?: { node?: string } } };
	return host.process?.versions?.node !== undefined;
}

// fetch knows no files there.
async function readInNode(url: URL): Promise<Uint8Array> {
	const files = "node:fs/promises";
	const { readFile } = await import(files) as { readFile(path: URL): Promise<Uint8Array> };
	return readFile(url);
}

async function fetchBytes(url: URL): Promise<Uint8Array> {
	const response = await fetch(url);
	if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
	return new Uint8Array(await response.arrayBuffer());
}

async function readUrl(url: URL): Promise<Uint8Array> {
	try {
		return await (url.protocol === "file:" && isNode() ? readInNode(url) : fetchBytes(url));
	} catch (error) {
		throw new RepriseError("file", `reprise-play.wasm could not be read from ${url.href}: ${(error as Error).message}`,
			"give its bytes or a data URL as options.wasm");
	}
}

/** The bytes of a source, or the module that it is; without one, of the file beside this module. */
export async function readWasm(source?: WasmSource): Promise<Uint8Array | WebAssembly.Module> {
	if (source instanceof WebAssembly.Module) return source;
	if (source !== undefined && typeof source !== "string" && !(source instanceof URL)) return checkBytes(source, "wasm");
	const text = source?.toString() ?? "reprise-play.wasm";
	return /^data:/i.test(text) ? decodeDataUrl(text) : readUrl(new URL(text, import.meta.url));
}
