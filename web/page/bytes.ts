// Bytes as they stand in a page.

export function decodeBase64(text: string): Uint8Array {
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/** What zlib compressed, by the browser's own decoder. */
export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}
