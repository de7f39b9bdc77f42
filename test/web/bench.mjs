// What `reprise-bench web` measures in Node and in a browser. Usage: node --expose-gc bench.mjs FOLDER steps|page
// Prints figures as JSON.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = process.argv[2], web = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../build-web");
const wasm = fs.readFileSync(path.join(web, "reprise-play.wasm"));
const TICKS = 24000, CHANGE = 120;

async function createPlayer(name) {
	const play = await import(pathToFileURL(path.join(web, "npm/reprise-play.js")).href), engine = await play.createEngine(wasm);
	return engine.openBundle(fs.readFileSync(path.join(folder, `${name}.rpb`))).createPlayer();
}

// The same as bench_web.c asks for.
function fillInput(tick, model, input) {
	const angle = 0.7 * Math.floor(tick / CHANGE);
	input.stickX = Math.fround(Math.sin(angle));
	input.stickZ = Math.fround(Math.cos(angle));
	input.request = model === "graph" ? 0 : Math.floor(tick / CHANGE) % 3 === 2 ? 2 : 1;
}

function play(player, model, ticks) {
	const input = { stickX: 0, stickZ: 0, request: 0 };
	for (let i = 0; i < ticks; ++i) {
		fillInput(i, model, input);
		player.step(1 / 60, input);
	}
}

async function timeSteps() {
	const figures = {};
	for (const model of ["locomotion", "graph"]) {
		const player = await createPlayer(model);
		// Until it is compiled for good.
		play(player, model, 3000);
		player.reset();
		const start = performance.now();
		play(player, model, TICKS);
		figures[model] = 1000 * (performance.now() - start) / TICKS;
	}
	return figures;
}

async function measureGarbage() {
	const player = await createPlayer("locomotion");
	for (let i = 0; i < 3; ++i) play(player, "locomotion", 6000);
	globalThis.gc();
	const before = process.memoryUsage().heapUsed;
	play(player, "locomotion", TICKS);
	return (process.memoryUsage().heapUsed - before) / 1024 / (TICKS / 60);
}

// Objects that one character makes while it is driven, kB for each second of motion: sampled by V8 where they are made, with those
// that are collected at once. All of the page's script is in it (ticks, scene, WebGL's arguments, figures and timeline ten times a
// second), and the strings that the browser makes for it; what the browser makes outside of script's heap is not.
async function measurePageGarbage(page) {
	const cdp = await page.context().newCDPSession(page), seconds = 10;
	const run = ticks => page.evaluate(count => { for (let i = 0; i < count; ++i) window.reprise.driver.advance(1 / 60); }, ticks);
	await page.keyboard.down("ArrowUp");
	// Until it is compiled for good, and nothing grows any more; compilers work beside.
	for (let i = 0; i < 4; ++i) {
		await run(600);
		await page.waitForTimeout(100);
	}
	await cdp.send("HeapProfiler.enable");
	await cdp.send("HeapProfiler.startSampling", { samplingInterval: 512, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
	await run(60 * seconds);
	const { profile } = await cdp.send("HeapProfiler.stopSampling");
	await page.keyboard.up("ArrowUp");
	const sum = node => node.children.reduce((bytes, child) => bytes + sum(child), node.selfSize);
	return sum(profile.head) / 1024 / seconds;
}

// Milliseconds that each of some frames takes, from the fastest to the slowest.
async function timeFrames(page) {
	return page.evaluate(async () => {
		const { driver } = window.reprise;
		await driver.recast({ count: 20 });
		const advance = driver.advance.bind(driver), times = [];
		driver.advance = seconds => {
			const start = performance.now();
			// One tick a frame, as on a screen of 60 Hz, however slowly this one is drawn.
			advance(Math.min(seconds, 1 / 60));
			times.push(performance.now() - start);
		};
		while (times.length < 600) await new Promise(requestAnimationFrame);
		return times.slice(200).sort((a, b) => a - b);
	});
}

// What a software renderer takes for triangles is not asked about: script would wait for it.
function drawNothing() {
	for (const name of ["drawArrays", "drawArraysInstanced", "drawElementsInstanced"]) WebGL2RenderingContext.prototype[name] = () => {};
}

async function measurePage() {
	process.env.CHROMIUM ??= ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(file => fs.existsSync(file));
	const { launch } = await import("./browser.mjs"), browser = await launch();
	const page = await (await browser.newContext({ viewport: { width: 640, height: 480 } })).newPage(), loads = [];
	await page.addInitScript(drawNothing);
	for (let i = 0; i < 5; ++i) {
		await page.goto(pathToFileURL(path.join(folder, "page.html")).href);
		loads.push(await page.waitForFunction(() => window.reprise && performance.now(), null, { polling: 20 }).then(handle => handle.jsonValue()));
	}
	const garbage = await measurePageGarbage(page), times = await timeFrames(page);
	await browser.close();
	return {
		load_ms: loads.sort((a, b) => a - b)[2], garbage_kb_per_s: garbage,
		script_ms_per_frame: times[Math.floor(0.5 * times.length)], script_ms_per_frame_p95: times[Math.floor(0.95 * times.length)],
	};
}

const figures = process.argv[3] === "steps" ? await timeSteps() : {
	wasm_kb: wasm.length / 1000,
	wasm_packed_kb: zlib.deflateSync(wasm, { level: 9 }).length / 1000,
	page_script_kb: fs.statSync(path.join(web, "page.js")).size / 1000,
	module_garbage_kb_per_s: await measureGarbage(),
	...await measurePage(),
};
console.log(JSON.stringify(figures));
