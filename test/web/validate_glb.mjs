// node validate_glb.mjs FILE…: the Khronos validator over GLB files. Any error or warning fails; infos are shown.
import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';

let failed = process.argv.length <= 2;
for (const path of process.argv.slice(2)) {
	const report = await validator.validateBytes(new Uint8Array(await readFile(path)), { maxIssues: 20 });
	const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
	const { drawCallCount, totalVertexCount, totalTriangleCount, animationCount } = report.info;
	console.log(`${path.split('/').pop()}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, `
		+ `${numHints} hints; ${drawCallCount} draw calls, ${totalVertexCount} vertices, ${totalTriangleCount} triangles, `
		+ `${animationCount} animations`);
	for (const { severity, code, message, pointer } of messages) {
		console.log(`  ${['error', 'warning', 'info', 'hint'][severity]} ${code} ${pointer ?? ''}: ${message}`);
	}
	failed ||= numErrors > 0 || numWarnings > 0 || report.info.version !== '2.0';
}
process.exit(failed ? 1 : 0);
