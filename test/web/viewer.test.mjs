// What a person does with a page, done by Playwright. Usage: CHROMIUM=… node viewer.test.mjs FOLDER-OF-PAGES
import assert from "node:assert/strict";
import path from "node:path";
import { launch, open as openPage, run, sizes } from "./browser.mjs";

const folder = path.resolve(process.argv[2]);
const browser = await launch();

const open = (name, viewport = sizes[0], { noWebGl = false, ...options } = {}) => openPage(browser, folder, name, viewport, options, noWebGl ? takeWebGl : null, addTools);

// Pixels of a canvas, whatever it is drawn with.
function addTools() {
	globalThis.readPixels = canvas => {
		const copy = document.createElement("canvas"), pen = copy.getContext("2d");
		copy.width = canvas.width;
		copy.height = canvas.height;
		pen.drawImage(canvas, 0, 0);
		return pen.getImageData(0, 0, copy.width, copy.height).data;
	};
}

function takeWebGl() {
	const getContext = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest); };
}

// A number for what a canvas shows.
const look = (page, id = "scene") => page.evaluate(name => {
	const data = readPixels(document.getElementById(name));
	let hash = 2166136261;
	for (let i = 0; i < data.length; i += 4) hash = Math.imul(hash ^ data[i] ^ data[i + 1] << 8 ^ data[i + 3] << 16, 16777619);
	return hash;
}, id);

// How many pixels of the scene are of the limbs' blue and orange.
const countHues = page => page.evaluate(() => {
	const data = readPixels(document.getElementById("scene"));
	let blue = 0, orange = 0;
	for (let i = 0; i < data.length; i += 4) {
		if (data[i + 3] < 250) continue;
		blue += data[i + 2] > data[i] + 60;
		orange += data[i] > data[i + 2] + 60;
	}
	return { blue, orange };
});

// The same of a screenshot.
const countHuesOf = (page, png) => page.evaluate(async text => {
	const image = new Image();
	image.src = "data:image/png;base64," + text;
	await image.decode();
	const data = readPixels(image);
	let blue = 0, orange = 0;
	for (let i = 0; i < data.length; i += 4) {
		blue += data[i + 2] > data[i] + 60;
		orange += data[i] > data[i + 2] + 60;
	}
	return { blue, orange };
}, png.toString("base64"));

const getTime = page => page.evaluate(() => +document.getElementById("scrub").value);
const settle = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

async function pause(page) {
	if (await page.getAttribute("#play", "aria-label") === "Pause") await page.click("#play");
	await settle(page);
}

const tests = {
	async "plays by itself, pauses, plays again"() {
		const page = await open("plain.html");
		const first = await look(page), start = await getTime(page);
		await page.waitForTimeout(400);
		assert.notEqual(await look(page), first);
		assert.ok(await getTime(page) > start);
		const hues = await countHues(page);
		assert.ok(hues.blue > 1000 && hues.orange > 1000, JSON.stringify(hues));
		await pause(page);
		const still = await look(page), at = await getTime(page);
		await page.waitForTimeout(250);
		assert.equal(await look(page), still);
		assert.equal(await getTime(page), at);
		await page.click("#play");
		await page.waitForTimeout(300);
		assert.notEqual(await getTime(page), at);
		await page.close();
	},

	async "plays without WebGL, too"() {
		const page = await open("plain.html", sizes[0], { noWebGl: true }), first = await look(page), start = await getTime(page);
		await page.waitForTimeout(400);
		assert.notEqual(await look(page), first);
		assert.ok(await getTime(page) > start);
		const hues = await countHues(page);
		assert.ok(hues.blue > 1000 && hues.orange > 1000, JSON.stringify(hues));
		await page.close();
	},

	// A canvas of another size is blank until it is drawn again, and what is seen is what counts: so by screenshot.
	async "is never blank when its box changes"() {
		const page = await open("plain.html", sizes[0], { reducedMotion: "reduce" }), box = () => page.locator("#scene").boundingBox();
		for (const [clip, width] of [[1, 1280], [0, 1000], [4, 390], [2, 1280]]) {
			await page.setViewportSize({ width, height: 800 });
			await page.click(`.clip >> nth=${clip}`);
			await page.waitForTimeout(150);
			const { x, y, height } = await box(), png = await page.screenshot({ clip: { x: x + 0.2 * (await box()).width, y: y + 0.2 * height, width: 0.6 * (await box()).width, height: 0.7 * height } });
			const hues = await countHuesOf(page, png);
			assert.ok(hues.blue > 100 && hues.orange > 100, `clip ${clip}: ${JSON.stringify(hues)}`);
		}
		await page.close();
	},

	async "scrubs by bar and by tracks"() {
		const page = await open("plain.html");
		await pause(page);
		const before = await look(page);
		await page.fill("#scrub", "3.5").catch(() => page.evaluate(() => {
			const bar = document.getElementById("scrub");
			bar.value = 3.5;
			bar.dispatchEvent(new Event("input", { bubbles: true }));
		}));
		await settle(page);
		assert.ok(Math.abs(await getTime(page) - 3.5) < 0.01);
		assert.notEqual(await look(page), before);
		assert.match(await page.textContent("#frame"), /frame 210 of 361/);
		const box = await page.locator("#tracks").boundingBox();
		await page.mouse.click(box.x + 78 + 0.5 * (box.width - 78), box.y + 10);
		await settle(page);
		assert.ok(Math.abs(await getTime(page) - 3) < 0.05);
		await page.close();
	},

	async "turns, moves and zooms"() {
		const page = await open("plain.html");
		await pause(page);
		const box = await page.locator("#scene").boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
		const looks = [await look(page)];
		const drag = async () => {
			await page.mouse.move(x, y);
			await page.mouse.down();
			await page.mouse.move(x + 120, y + 30, { steps: 4 });
			await page.mouse.up();
			await settle(page);
			looks.push(await look(page));
		};
		await drag();
		await page.keyboard.down("Shift");
		await drag();
		await page.keyboard.up("Shift");
		await page.mouse.wheel(0, -300);
		await settle(page);
		looks.push(await look(page));
		assert.equal(new Set(looks).size, looks.length);
		await page.dblclick("#scene");
		await settle(page);
		assert.equal(await look(page), looks[0]);
		await page.close();
	},

	async "listens to keys"() {
		const page = await open("plain.html");
		await pause(page);
		await page.focus("#scene");
		await page.keyboard.press("Home");
		await settle(page);
		assert.equal(await getTime(page), 0);
		for (const [key, frames] of [[".", 1], ["ArrowRight", 2], [",", 1], ["Shift+ArrowRight", 11], ["ArrowLeft", 10]]) {
			await page.keyboard.press(key);
			await settle(page);
			assert.ok(Math.abs(await getTime(page) - frames / 60) < 1e-6, key);
		}
		await page.keyboard.press("End");
		await settle(page);
		assert.ok(Math.abs(await getTime(page) - 6) < 1e-9);
		await page.keyboard.press("ArrowDown");
		await settle(page);
		assert.equal(await page.textContent("#clip-name"), "run");
		await page.keyboard.press(" ");
		await page.waitForTimeout(200);
		assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
		assert.ok(await getTime(page) > 0);
		// Frames of a thinned motion are still the motion's own.
		assert.match(await page.textContent("#frame"), /of 481/);
		await page.close();
	},

	async "speed and loop"() {
		const page = await open("plain.html");
		await page.evaluate(() => {
			const bar = document.getElementById("speed");
			bar.value = 0.1;
			bar.dispatchEvent(new Event("input", { bubbles: true }));
		});
		assert.equal(await page.textContent("#speed-value"), "0.10\u00d7");
		// The first frame takes a software renderer long.
		await page.waitForFunction(() => +document.getElementById("scrub").value > 0);
		const start = await getTime(page);
		await page.waitForTimeout(500);
		const moved = await getTime(page) - start;
		assert.ok(moved > 0.005 && moved < 0.3, String(moved));
		await page.click("#loop");
		await page.evaluate(() => {
			for (const [id, value] of [["speed", 2], ["scrub", 5.9]]) {
				const bar = document.getElementById(id);
				bar.value = value;
				bar.dispatchEvent(new Event("input", { bubbles: true }));
			}
		});
		await page.waitForFunction(() => document.getElementById("play").getAttribute("aria-label") === "Play");
		assert.ok(Math.abs(await getTime(page) - 6) < 1e-9);
		await page.close();
	},

	async "shows clips side by side"() {
		const page = await open("plain.html");
		await pause(page);
		const one = await countHues(page);
		assert.ok(one.blue > 0);
		await page.click(".beside >> nth=1");
		await page.click(".beside >> nth=2");
		await settle(page);
		assert.match(await page.textContent("#clip-name"), /3 clips side by side/);
		assert.equal(await page.locator("#clip-list li.shown").count(), 3);
		await page.click(".beside >> nth=1");
		assert.equal(await page.locator("#clip-list li.shown").count(), 2);
		await page.click(".clip >> nth=4");
		assert.equal(await page.locator("#clip-list li.shown").count(), 1);
		assert.equal(await page.textContent("#clip-name"), "stand");
		await page.close();
	},

	async "shows the path that was wanted, styles and seams"() {
		const legend = page => page.evaluate(() => !document.getElementById("path-legend").hidden);
		// Pixels of a style's colour, give or take what lies under it.
		const count = (page, style) => page.evaluate(style => {
			const data = readPixels(document.getElementById("scene"));
			const hex = getComputedStyle(document.documentElement).getPropertyValue("--styles").trim().split(/[ ,]+/)[style];
			const color = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
			let found = 0;
			for (let i = 0; i < data.length; i += 4) found += data[i + 3] > 60 && color.every((c, k) => Math.abs(data[i + k] - c) < 24);
			return found;
		}, style);
		for (const colorScheme of ["light", "dark"]) {
			const page = await open("path.html", sizes[0], { colorScheme });
			await pause(page);
			await page.click("#follow");
			await page.click("#reset");
			await page.keyboard.press("End");
			await settle(page);
			assert.ok(await legend(page));
			const styles = [await count(page, 0), await count(page, 1)], shown = await look(page);
			assert.ok(styles[0] > 100 && styles[1] > 100, JSON.stringify(styles));
			await page.click("#show-path");
			await settle(page);
			assert.notEqual(await look(page), shown);
			assert.ok(await count(page, 1) < styles[1] / 4);
			await page.close();
		}
		const page = await open("plain.html");
		assert.equal(await legend(page), false);
		await page.close();
	},

	async "finds clips by eye"() {
		for (const [name, viewport] of [["plain.html", sizes[0]], ["plain.html", sizes[1]], ["large.html", sizes[1]], ["odd.html", sizes[0]]])
			for (const colorScheme of ["light", "dark"]) {
				const page = await open(name, viewport, { colorScheme, reducedMotion: "reduce" });
				await settle(page);
				await page.waitForFunction(() => document.querySelector(".strip.seen"));
				const strips = await page.evaluate(() => [...document.querySelectorAll(".strip")].map(strip => {
					const { data } = strip.getContext("2d").getImageData(0, 0, strip.width, strip.height), box = strip.getBoundingClientRect();
					let painted = 0;
					for (let i = 3; i < data.length; i += 4) painted += data[i] > 200;
					return { seen: strip.classList.contains("seen"), painted, label: strip.getAttribute("aria-label"), wide: box.width };
				}));
				assert.equal(strips.length, await page.locator(".clip").count());
				assert.ok(strips[0].seen && strips.every(s => !s.seen || s.painted > 5), JSON.stringify(strips));
				assert.ok(name === "odd.html" || strips[0].painted > 300, JSON.stringify(strips[0]));
				assert.ok(strips.every(s => /^Film strip of ./.test(s.label) && s.wide > 60));
				await page.click(".strip >> nth=1");
				await settle(page);
				assert.equal(await page.textContent("#clip-name"), await page.textContent(".clip b >> nth=1"));
				await page.close();
			}
		// One clip alone needs none.
		const page = await open("path.html");
		assert.equal(await page.locator(".strip").count(), 0);
		await page.close();
	},

	async "fits the window"() {
		for (const name of ["plain.html", "told.html", "hostile.html", "path.html"])
			for (const viewport of sizes)
				for (const colorScheme of ["light", "dark"]) {
					const page = await open(name, viewport, { colorScheme });
					await settle(page);
					const outside = await page.evaluate(() => [...document.body.querySelectorAll("*")].filter(element => {
						const box = element.getBoundingClientRect();
						return box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5);
					}).map(element => element.outerHTML.slice(0, 80)));
					assert.deepEqual(outside, [], `${name} at ${viewport.width}`);
					const wide = await page.evaluate(() => document.documentElement.scrollWidth);
					assert.ok(wide <= viewport.width, `${name} is ${wide} wide`);
					if (name === "plain.html") {
						const tall = await page.evaluate(() => document.documentElement.scrollHeight);
						assert.ok(tall <= viewport.height, `${name} is ${tall} tall at ${viewport.width}`);
					}
					await page.close();
				}
	},

	async "shows hostile names as text"() {
		const page = await open("hostile.html");
		await page.waitForTimeout(200);
		assert.equal(await page.evaluate(() => window.hacked), undefined);
		assert.equal(await page.locator("img").count(), 0);
		for (const place of ["h1", "#clip-name", ".clip b"])
			assert.match(await page.textContent(place), /<\/script><script>window\.hacked=1<\/script><img src=x/);
		assert.match(await page.title(), /<img src=x/);
		await page.close();
	},

	async "can be used without a mouse"() {
		const page = await open("plain.html");
		const names = await page.evaluate(() => [...document.querySelectorAll("button, input, canvas[tabindex]")].filter(e => !e.hidden)
			.map(e => e.getAttribute("aria-label") || e.textContent.trim()));
		assert.ok(names.every(name => name.length > 0), names.join("|"));
		await page.keyboard.press("Tab");
		assert.equal(await page.evaluate(() => document.activeElement.className), "clip");
		await page.close();
	},

	async "shows what is hardly a motion"() {
		const page = await open("odd.html");
		for (let i = 0; i < 4; ++i) {
			await page.click(`.clip >> nth=${i}`);
			await page.waitForTimeout(120);
			assert.match(await page.textContent("#clip-facts"), /frames? at 30 Hz/);
			const painted = await page.evaluate(() => readPixels(document.getElementById("scene")).some((x, k) => k % 4 === 3 && x === 255));
			assert.ok(painted, `clip ${i} is drawn`);
		}
		await page.click(".beside >> nth=0");
		await settle(page);
		await page.close();
	},

	async "takes the introduction"() {
		const page = await open("told.html");
		assert.equal(await page.textContent(".introduction em"), "above");
		await page.close();
	},

	async "stays quiet for those who want less motion"() {
		const page = await open("plain.html", sizes[0], { reducedMotion: "reduce" });
		await page.waitForTimeout(200);
		assert.equal(await getTime(page), 0);
		await page.close();
	},

	// Ten clips of 10,000 frames. A machine under load is slow, so this asks for a small part of what it should reach. Without
	// WebGL, which has no graphics card here; what it costs the script is in stage.test.mjs.
	async "holds ten long clips"() {
		const page = await open("large.html", sizes[0], { noWebGl: true });
		await page.waitForFunction(() => +document.getElementById("scrub").value > 0);
		const frames = await page.evaluate(() => new Promise(done => {
			let count = 0;
			const start = performance.now();
			const tick = now => (now - start > 1500 ? done(count / (now - start) * 1000) : (++count, requestAnimationFrame(tick)));
			requestAnimationFrame(tick);
		}));
		const cost = await page.evaluate(() => {
			for (const button of document.querySelectorAll(".beside")) if (button.getAttribute("aria-pressed") !== "true") button.click();
			return document.querySelectorAll("#clip-list li.shown").length;
		});
		assert.equal(cost, 10);
		await settle(page);
		console.log(`  ${frames.toFixed(0)} frames per second`);
		assert.ok(frames > 5);
		await page.close();
	},
};

await run(tests, browser);
