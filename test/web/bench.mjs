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

async function measurePage() {
	process.env.CHROMIUM ??= ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(file => fs.existsSync(file));
	const { launch } = await import("./browser.mjs"), browser = await launch(["--enable-precise-memory-info", "--js-flags=--expose-gc"]);
	// Small: what a software renderer takes is not asked about.
	const page = await (await browser.newContext({ viewport: { width: 640, height: 480 } })).newPage(), loads = [];
	for (let i = 0; i < 3; ++i) {
		await page.goto(pathToFileURL(path.join(folder, "page.html")).href);
		loads.push(await page.waitForFunction(() => window.reprise && performance.now(), null, { polling: 20 }).then(handle => handle.jsonValue()));
	}
	const garbage = await page.evaluate(() => {
		const { driver } = window.reprise, run = ticks => { for (let i = 0; i < ticks; ++i) driver.advance(1 / 60); };
		dispatchEvent(new KeyboardEvent("keydown", { code: "ArrowUp", key: "ArrowUp" }));
		document.getElementById("drive-scene").dispatchEvent(new KeyboardEvent("keydown", { code: "ArrowUp", key: "ArrowUp", bubbles: true }));
		run(900);
		window.gc();
		const before = performance.memory.usedJSHeapSize;
		run(600);
		return (performance.memory.usedJSHeapSize - before) / 1024 / 10;
	});
	const times = await page.evaluate(async () => {
		const { driver } = window.reprise;
		await driver.recast({ count: 20 });
		const advance = driver.advance.bind(driver), times = [];
		driver.advance = seconds => {
			const start = performance.now();
			// One tick a frame, as on a screen of 60 Hz, however slowly this one is drawn.
			advance(Math.min(seconds, 1 / 60));
			times.push(performance.now() - start);
		};
		while (times.length < 400) await new Promise(requestAnimationFrame);
		return times.slice(100).sort((a, b) => a - b);
	});
	await browser.close();
	return {
		load_ms: loads.sort((a, b) => a - b)[1], garbage_kb_per_s: garbage,
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
