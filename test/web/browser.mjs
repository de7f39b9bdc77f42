// What tests of pages share: a browser, pages that may not complain or load anything, and a runner.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const sizes = [{ width: 1280, height: 800 }, { width: 390, height: 800 }];

export async function launch(more = []) {
	return chromium.launch({
		executablePath: process.env.CHROMIUM,
		// WebGL without a graphics card; the rest of the page is drawn without it, which takes less time.
		args: ["--no-sandbox", "--headless", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", ...more],
	});
}

/** A page of its own for each test; any complaint of the browser, and any request beyond the file, fails it. `before` runs in the page first. */
export async function open(browser, folder, name, viewport = sizes[0], options = {}, ...before) {
	const context = await browser.newContext({ viewport, offline: true, ...options }), page = await context.newPage(), complaints = [];
	const url = pathToFileURL(path.join(folder, name)).href;
	// Advice about reading pixels back, and the stalls that this causes, are of the tests' own making.
	const isOurs = text => /willReadFrequently|GPU stall due to ReadPixels/.test(text);
	page.on("console", message => { if (["error", "warning"].includes(message.type()) && !isOurs(message.text())) complaints.push(message.text()); });
	page.on("pageerror", error => complaints.push(error.stack ?? error.message));
	page.on("request", request => { if (request.url() !== url && !/^(data|blob):/.test(request.url())) complaints.push("asks for " + request.url()); });
	for (const script of before) if (script) await page.addInitScript(script);
	await page.goto(url);
	page.close = async () => { assert.deepEqual(complaints, []); await context.close(); };
	return page;
}

/** Run tests, by name; ends the process. Those that TESTS names alone, if it is set. */
export async function run(tests, browser) {
	let passed = 0, failed = 0;
	for (const [name, test] of Object.entries(tests)) {
		if (process.env.TESTS && !name.includes(process.env.TESTS)) continue;
		try {
			await test();
			++passed;
			console.log("ok  " + name);
		} catch (error) {
			// What it left open would slow down those that follow.
			for (const context of browser.contexts()) await context.close();
			++failed;
			console.log(`FAILED  ${name}\n${error.stack}`);
		}
	}
	await browser.close();
	console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed ? 1 : 0);
}
