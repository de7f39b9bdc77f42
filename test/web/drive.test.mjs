// What a person does who drives a character, done by Playwright. Usage: CHROMIUM=… REPRISE=… node drive.test.mjs FOLDER-OF-PAGES
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { launch, open as openPage, run, sizes } from "./browser.mjs";

const folder = path.resolve(process.argv[2]);
const browser = await launch();

// Small where the size does not matter: software draws it.
const small = { width: 800, height: 560 };

async function open(name = "drive.html", viewport = small, options = {}, before = null) {
	const page = await openPage(browser, folder, name, viewport, options, before);
	await page.waitForFunction(() => window.reprise);
	// Time goes on when a test says so, and begins here: whatever the machine's speed, the same ticks see the same keys.
	await page.evaluate(() => {
		const { driver } = window.reprise, goOn = driver.advance.bind(driver);
		window.isLive = false;
		driver.advance = seconds => goOn(window.isLive ? seconds : 0);
		driver.begin();
	});
	return page;
}

// Where the first character is, by its tape; and the second, if there is one.
const look = page => page.evaluate(() => {
	const { session } = window.reprise.driver, see = character => {
		const { tape } = character, slot = tape.slot(tape.count - 1), moves = {};
		tape.measure(tape.count - 1, moves);
		return { x: tape.ground[3 * slot], z: tape.ground[3 * slot + 1], heading: tape.ground[3 * slot + 2], ...moves, kind: tape.kinds[slot], phase: tape.phases[slot] };
	};
	return { ...see(session.main.character), ticks: session.ticks, asked: { ...session.main.asked }, rival: session.rival && see(session.rival.character) };
});

// Software rendering may be slower than time goes by: what counts are ticks.
const waitTicks = async (page, count) => {
	const start = await page.evaluate(() => {
		window.isLive = true;
		return window.reprise.driver.session.ticks;
	});
	await page.waitForFunction(n => window.reprise.driver.session.ticks >= n, start + count, { timeout: 120000, polling: 50 });
	await page.evaluate(() => { window.isLive = false; });
};

// Ticks without drawing each of them, which takes long in software; what is drawn then is the last one.
const advance = (page, ticks) => page.evaluate(count => {
	const { driver } = window.reprise, { stage } = driver, draw = stage.draw;
	stage.draw = () => {};
	window.isLive = true;
	for (const end = driver.session.ticks + count; driver.session.ticks < end;) driver.advance(1 / 60);
	window.isLive = false;
	stage.draw = draw;
}, ticks);

const hold = async (page, keys, seconds, go = advance) => {
	for (const key of keys) await page.keyboard.down(key);
	await go(page, 60 * seconds);
	const seen = await look(page);
	for (const key of keys) await page.keyboard.up(key);
	return seen;
};

// Pixels of the stage as they are on the screen.
async function countHues(page) {
	const png = (await page.locator("#drive-scene").screenshot()).toString("base64");
	return page.evaluate(async data => {
		const image = new Image();
		image.src = "data:image/png;base64," + data;
		await image.decode();
		const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
		canvas.width = image.width;
		canvas.height = image.height;
		pen.drawImage(image, 0, 0);
		const p = pen.getImageData(0, 0, canvas.width, canvas.height).data;
		let blue = 0, orange = 0, green = 0;
		for (let i = 0; i < p.length; i += 4) {
			blue += p[i + 2] > p[i] + 60 && p[i + 1] > p[i] + 20;
			orange += p[i] > p[i + 2] + 60;
			green += p[i + 1] > p[i] + 40 && p[i + 1] > p[i + 2] + 10;
		}
		return { blue, orange, green };
	}, png);
}

const settle = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
const setYaw = (page, yaw) => page.evaluate(y => { window.reprise.driver.camera.yaw = y; }, yaw);

async function save(page, button) {
	const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
	const target = path.join(folder, "saved-" + file.suggestedFilename());
	await file.saveAs(target);
	return target;
}

// Rows of numbers of a BVH file, and the names of its columns.
function readBvh(file) {
	const text = fs.readFileSync(file, "utf8"), names = [];
	let joint = "";
	for (const line of text.split("\n")) {
		const words = line.trim().split(/\s+/);
		if (words[0] === "ROOT" || words[0] === "JOINT") joint = words[1];
		if (words[0] === "CHANNELS") for (const channel of words.slice(2)) names.push(`${joint}.${channel}`);
	}
	const rows = text.slice(text.indexOf("Frame Time:")).trim().split("\n").slice(1).map(line => line.trim().split(/\s+/).map(Number));
	return { names, rows };
}

function play(bundle, script, seconds, output, ...more) {
	execFileSync(process.env.REPRISE, ["play", path.join(folder, bundle), "--script", script, "--seconds", String(seconds), "-o", output, "-q", "--force", ...more]);
}

// Of three angles, as the axes of a BVH file come: w, x, y, z.
function turn(row, names, first) {
	let q = [1, 0, 0, 0];
	for (let k = first; k < first + 3; ++k) {
		const half = row[k] * Math.PI / 360, c = Math.cos(half), s = Math.sin(half), [w, x, y, z] = q;
		const axis = "XYZ".indexOf(names[k].split(".")[1][0]), [a, b, d] = [0, 1, 2].map(i => (i === axis ? s : 0));
		q = [w * c - x * a - y * b - z * d, w * a + x * c + y * d - z * b, w * b + y * c + z * a - x * d, w * d + z * c + x * b - y * a];
	}
	return q;
}

// The largest difference of two BVH files of one body: metres, degrees. Where two of three angles turn about one axis they may
// differ, so rotations are compared.
function compare(one, other) {
	assert.deepEqual(one.names, other.names);
	assert.equal(one.rows.length, other.rows.length);
	const { names } = one, far = { metres: 0, degrees: 0 };
	const rotations = names.flatMap((name, k) => (name.endsWith("rotation") ? [k] : [])), firsts = rotations.filter((_, k) => k % 3 === 0);
	one.rows.forEach((row, i) => {
		const wanted = other.rows[i];
		row.forEach((x, k) => { if (names[k].endsWith("position")) far.metres = Math.max(far.metres, Math.abs(x - wanted[k])); });
		for (const first of firsts) {
			const a = turn(row, names, first), b = turn(wanted, names, first), sign = a.reduce((sum, x, k) => sum + x * b[k], 0) < 0 ? -1 : 1;
			far.degrees = Math.max(far.degrees, 360 / Math.PI * Math.hypot(...a.map((x, k) => x - sign * b[k])));
		}
	});
	return far;
}

const tests = {
	async "ten seconds of keys: the character is where it was steered"() {
		const page = await open();
		await setYaw(page, Math.PI);
		// As it comes, frame by frame.
		const seen = await hold(page, ["ArrowUp"], 10, waitTicks);
		// Ahead of the camera is +z; a stand takes its time to become a walk.
		assert.ok(seen.z > 6 && Math.abs(seen.x) < 1, JSON.stringify(seen));
		assert.ok(Math.abs(seen.heading) < 0.3 && seen.speed > 0.9 && seen.speed < 1.6, JSON.stringify(seen));
		const hues = await countHues(page);
		assert.ok(hues.blue > 500 && hues.orange > 500, JSON.stringify(hues));
		const left = await hold(page, ["KeyA"], 6);
		assert.ok(Math.abs(left.heading - Math.PI / 2) < 0.4, JSON.stringify(left));
		await page.close();
	},

	async "runs, stops, stands"() {
		const page = await open();
		await setYaw(page, Math.PI);
		const running = await hold(page, ["ArrowUp", "Shift"], 6);
		assert.ok(running.speed > 2 && /^F/.test(running.kind), JSON.stringify(running));
		await advance(page, 360);
		const standing = await look(page);
		assert.ok(standing.speed < 0.1 && standing.kind === "S", JSON.stringify(standing));
		const braked = await hold(page, ["ArrowUp", "Space"], 2);
		assert.ok(braked.speed < 0.1, JSON.stringify(braked));
		assert.match(await page.textContent("#drive-speed"), /^[\d.]+ m\/s$/);
		await page.close();
	},

	async "turns as it is told to"() {
		const page = await open();
		await page.selectOption("#drive-panel select >> nth=2", { index: 1 });
		await page.focus("#drive-scene");
		// Both keys down without a gap: who lets go begins to stop.
		await page.keyboard.down("ArrowUp");
		await advance(page, 180);
		const before = await look(page);
		await page.keyboard.down("ArrowLeft");
		await advance(page, 180);
		const after = await look(page);
		const turned = after.heading - before.heading;
		console.log(`  ${turned.toFixed(2)} rad in 3 s, ${after.asked.turn.toFixed(2)} rad/s asked`);
		assert.ok(turned > 0.7 && turned < 3, JSON.stringify([before, after]));
		assert.ok(after.asked.turn > 0.2 && after.asked.stickX === 0);
		// A graph beside, which knows directions alone, turns as well.
		await page.selectOption("#drive-panel select >> nth=1", { index: 1 });
		await page.waitForFunction(() => window.reprise.driver.session.rival);
		await page.focus("#drive-scene");
		await page.keyboard.down("ArrowUp");
		await page.keyboard.down("ArrowLeft");
		await advance(page, 150);
		const { rival } = await look(page);
		assert.ok(rival.heading > 0.4 && rival.turn > 0, JSON.stringify(rival));
		await page.close();
	},

	async "goes to a click and stops there"() {
		for (const model of [0, 1]) {
			const page = await open();
			if (model) await page.selectOption("#drive-panel select >> nth=0", { index: model });
			await page.waitForFunction(m => window.reprise.driver.session.main.character.player.model === m, model ? "graph" : "locomotion");
			await settle(page);
			const box = await page.locator("#drive-scene").boundingBox();
			await page.mouse.click(box.x + 0.75 * box.width, box.y + 0.5 * box.height);
			const goal = await page.evaluate(() => { const { goal } = window.reprise.driver.controls; return { isSet: goal.isSet, x: goal.x, z: goal.z }; });
			assert.ok(goal.isSet, "a click on the floor is a goal");
			if (model === 0) {
				// Rests are a step apart, and it stops at none that is farther than 0.6 m.
				for (let i = 0; i < 60 && await page.evaluate(() => window.reprise.driver.controls.goal.isSet); ++i) await advance(page, 30);
				const seen = await look(page), off = Math.hypot(seen.x - goal.x, seen.z - goal.z);
				console.log(`  ${off.toFixed(2)} m from the goal`);
				assert.ok(off < 0.65 && seen.speed < 0.2, JSON.stringify([seen, goal]));
			} else {
				// These walks cannot stand: it comes by.
				let near = Infinity;
				for (let i = 0; i < 120 && near > 0.7; ++i) {
					await advance(page, 10);
					const seen = await look(page);
					near = Math.min(near, Math.hypot(seen.x - goal.x, seen.z - goal.z));
				}
				console.log(`  ${near.toFixed(2)} m from the goal`);
				assert.ok(near < 1, `${near}`);
			}
			await page.close();
		}
	},

	async "rewinds to the same poses, and drives on from there"() {
		const page = await open();
		await setYaw(page, Math.PI);
		// What was drawn at some ticks.
		await page.evaluate(() => {
			const { driver } = window.reprise, kept = (window.kept = new Map()), fill = driver.show.fill.bind(driver.show);
			driver.show.fill = (session, time, ...rest) => {
				fill(session, time, ...rest);
				if (Math.abs(time - Math.round(time)) < 1e-6) return;
				kept.set(time, [...driver.show.scene.bodies[0].points]);
			};
		});
		await hold(page, ["ArrowUp"], 4, waitTicks);
		await page.keyboard.press("p");
		const result = await page.evaluate(() => {
			const { driver } = window.reprise, times = [...window.kept.keys()].filter((_, i) => i % 7 === 0), kept = new Map(window.kept);
			let far = 0;
			for (const time of times) {
				driver.seek(time);
				driver.advance(0);
				driver.show.scene.bodies[0].points.forEach((x, k) => { far = Math.max(far, Math.abs(x - kept.get(time)[k])); });
			}
			return { far, count: times.length };
		});
		assert.ok(result.count > 5 && result.far === 0, JSON.stringify(result));
		// Back to two seconds in, and the same once more: the same to the bit.
		const again = await page.evaluate(() => {
			const { driver } = window.reprise, { tape } = driver.session.main.character, n = tape.points.length / 3601;
			const at = tick => [...tape.points.slice(n * tape.slot(tick), n * tape.slot(tick) + n)], before = [at(100), at(125)];
			driver.seek(125);
			driver.takeOver();
			const after = [at(100), at(125)], { count } = tape;
			driver.pause();
			return { same: JSON.stringify(before) === JSON.stringify(after), count, entries: driver.session.log.entries.length };
		});
		assert.deepEqual({ same: again.same, count: again.count }, { same: true, count: 126 });
		await page.click("#drive-play");
		await waitTicks(page, 60);
		await page.close();
	},

	async "records what reprise play plays to the same motion"() {
		for (const [model, bundle] of [[0, "gaits"], [1, "walks"]]) {
			const page = await open();
			if (model) await page.selectOption("#drive-panel select >> nth=0", { index: model });
			await page.waitForFunction(m => window.reprise.driver.session.main.character.player.model === m, model ? "graph" : "locomotion");
			await page.focus("#drive-scene");
			await setYaw(page, 2.2);
			await hold(page, ["ArrowUp"], 5);
			await hold(page, ["ArrowLeft", "Shift"], 4);
			if (!model) await page.locator("#drive-panel input[type=checkbox]").first().uncheck();
			await page.focus("#drive-scene");
			await setYaw(page, 0.3);
			await hold(page, ["KeyD"], 4);
			await page.keyboard.press("p");
			const script = await save(page, "#drive-save-script"), motion = await save(page, "#drive-save-motion");
			const lines = fs.readFileSync(script, "utf8").trim().split("\n");
			assert.equal(lines[0], model ? "time,x,y" : "time,x,y,gait,speed,turn,lean");
			assert.match(await page.textContent("#drive-command"), new RegExp(`reprise play ${bundle}.rpb --script ${bundle}.csv --seconds [\\d.]+ -o ${bundle}.bvh`));
			const native = path.join(folder, `native-${bundle}.bvh`);
			const said = (await page.textContent("#drive-command")).match(/--seconds ([\d.]+)/)[1];
			play(`${bundle}.rpb`, script, said, native);
			// The same bits, printed by two programs: the last digit may be rounded otherwise.
			const made = readBvh(motion), far = compare(made, readBvh(native));
			console.log(`  ${bundle}: ${made.rows.length} frames, ${far.metres} m and ${far.degrees} degrees apart at most`);
			assert.ok(far.metres < 2e-7 && far.degrees < 2e-5, JSON.stringify(far));
			await page.close();
		}
	},

	async "sliders say what a space does next"() {
		const page = await open("spaces.html"), bar = page.getByRole("slider", { name: "turn" });
		const note = () => page.locator("#drive-panel .row.range small").first().textContent();
		const read = () => page.evaluate(() => {
			const { tape } = window.reprise.driver.session.main.character, slot = tape.slot(tape.count - 1);
			return { motion: tape.motions[slot], requested: tape.requested[slot] * 180 / Math.PI, nearest: tape.nearest[slot] * 180 / Math.PI };
		});
		assert.match(await page.textContent("#drive-hint"), /^Sliders say what the next motion does; arrows/);
		// As who has no mouse does it; the slider goes beyond what the space reaches.
		await bar.focus();
		await page.keyboard.press("End");
		const most = +await bar.inputValue(), [low, high] = await page.evaluate(() => {
			const [{ low, high }] = window.reprise.driver.session.player.parameters;
			return [low, high].map(x => x * 180 / Math.PI);
		});
		assert.ok(most > high + 2, `${most} ${high}`);
		assert.equal(await bar.getAttribute("aria-valuetext"), `${most}\u00b0`);
		await advance(page, 240);
		await settle(page);
		const far = await read();
		assert.ok(far.motion >= 2 && Math.abs(far.requested - most) < 1e-3 && far.nearest < high + 0.5 && far.nearest > high - 3, JSON.stringify([far, high]));
		assert.equal(await note(), `asked ${most}\u00b0, the space has ${far.nearest.toFixed(0)}\u00b0`);
		assert.equal(await page.textContent("#drive-doing"), `motion ${far.motion + 1}`);
		for (let i = 0; i < 12; ++i) await page.keyboard.press("ArrowLeft");
		assert.equal(+await bar.inputValue(), most - 12);
		// A motion that is planned stays as it is.
		const { motion } = far;
		for (let i = 0; i < 100 && (await read()).motion < motion + 2; ++i) await advance(page, 6);
		const next = await read();
		assert.equal(next.motion, motion + 2);
		assert.ok(Math.abs(next.requested - most + 12) < 1e-3);
		// Who says a direction turns towards it, and goes there.
		await page.focus("#drive-scene");
		await setYaw(page, Math.PI);
		const seen = await hold(page, ["ArrowUp"], 12);
		console.log(`  heads ${(seen.heading * 180 / Math.PI).toFixed(0)} degrees off; the space turns by ${low.toFixed(0)} to ${high.toFixed(0)}`);
		assert.ok(Math.abs(seen.heading) < 0.45, JSON.stringify(seen));
		await page.close();
	},

	async "two parameters, and who drives beside has the same"() {
		const page = await open("spaces.html");
		await page.selectOption("#drive-panel select >> nth=0", { index: 1 });
		await page.waitForFunction(() => window.reprise.driver.session.player.parameters.length === 2);
		assert.deepEqual(await page.locator("#drive-panel .row.range label").allTextContents(), ["right wrist height at hit", "right wrist ahead at hit", "Characters"]);
		assert.equal(await page.textContent("#drive-hint"), "Sliders say what the next motion does");
		// Nothing but sliders: no keys to choose, and the floor is no goal.
		assert.equal(await page.locator("#drive-panel select").count(), 2);
		await page.click("#drive-scene", { position: { x: 300, y: 250 } });
		assert.equal(await page.evaluate(() => window.reprise.driver.controls.goal.isSet), false);
		const offers = await page.locator("#drive-panel select >> nth=1").locator("option").allTextContents();
		await page.selectOption("#drive-panel select >> nth=1", { index: offers.indexOf("the same, looks 0.3 s ahead") });
		await page.waitForFunction(() => window.reprise.driver.session.rival);
		await page.getByRole("slider", { name: "right wrist height at hit" }).fill("1.2");
		await advance(page, 60 * 8);
		await page.click("#drive-ghost");
		await advance(page, 30);
		const seen = await page.evaluate(() => {
			const { main, rival, ghost } = window.reprise.driver.session;
			return [main.character, rival.character, ghost].map(({ tape }) => ({ motion: tape.motions[tape.slot(tape.count - 1)], height: tape.requested[2 * tape.slot(tape.count - 1)] }));
		});
		assert.ok(seen.every(({ motion, height }) => motion >= 1 && Math.abs(height - 1.2) < 1e-6), JSON.stringify(seen));
		await settle(page);
		assert.match(await page.locator("#drive-panel small").first().textContent(), /^(asked 1\.20, the space has [\d.]+ m|now 1\.20 m, as asked)$/);
		const again = await page.evaluate(() => {
			const { driver } = window.reprise, { tape } = driver.session.main.character, at = tick => [...tape.ground.slice(3 * tick, 3 * tick + 3), tape.motions[tick]];
			const before = [at(200), at(290)];
			driver.seek(290);
			driver.takeOver();
			return { same: JSON.stringify(before) === JSON.stringify([at(200), at(290)]), count: tape.count };
		});
		assert.deepEqual(again, { same: true, count: 291 });
		await page.close();
	},

	async "records what reprise play makes of a space"() {
		for (const [model, bundle, header] of [[0, "strides", "time,turn_deg,lean"], [1, "punches", "time,right_wrist_y_hit_m,right_wrist_z_hit_m"]]) {
			const page = await open("spaces.html");
			if (model) await page.selectOption("#drive-panel select >> nth=0", { index: model });
			await page.waitForFunction(count => window.reprise.driver.session.player.parameters.length === count, model + 1);
			for (const share of [0.1, 0.85, 0.4]) {
				await page.evaluate(part => document.querySelectorAll("#drive-panel .gauge input").forEach((bar, k) => {
					bar.value = +bar.min + (k ? 1 - part : part) * (bar.max - bar.min);
					bar.dispatchEvent(new Event("input"));
				}), share);
				await advance(page, model ? 250 : 130);
			}
			await page.focus("#drive-scene");
			if (!model) {
				await page.locator("#drive-panel input[type=checkbox]").first().uncheck();
				await hold(page, ["ArrowLeft"], 3);
			}
			await page.keyboard.press("p");
			const script = await save(page, "#drive-save-script"), motion = await save(page, "#drive-save-motion");
			assert.equal(fs.readFileSync(script, "utf8").split("\n")[0], header);
			const native = path.join(folder, `native-${bundle}.bvh`), said = (await page.textContent("#drive-command")).match(/--seconds ([\d.]+)/)[1];
			play(`${bundle}.rpb`, script, said, native);
			const made = readBvh(motion), far = compare(made, readBvh(native));
			console.log(`  ${bundle}: ${made.rows.length} frames, ${far.metres} m and ${far.degrees} degrees apart at most`);
			// Arms that are lifted are near to where three angles are no rotation's own: digits are lost there.
			assert.ok(far.metres < 2e-7 && far.degrees < 1e-4, JSON.stringify(far));
			await page.close();
		}
	},

	async "nodes are chosen in the panel, and what is in play is said"() {
		const page = await open("nodes.html"), list = page.getByRole("combobox", { name: "Do" }), doing = () => page.textContent("#drive-doing");
		// Who goes nowhere does the first of what there is.
		assert.deepEqual(await list.locator("option").allTextContents(), ["as it goes", "box", "dance"]);
		assert.equal(await list.inputValue(), "box");
		assert.match(await page.textContent("#drive-hint"), /^Click the floor where it is to hit; a slider says how high; 1–2: what to do/);
		await advance(page, 60);
		await settle(page);
		assert.equal(await doing(), "box, motion 1");
		assert.equal(await page.textContent("#drive-seam"), "\u2013");
		await list.selectOption("dance");
		await advance(page, 300);
		await settle(page);
		assert.match(await doing(), /^dance, motion \d+$/);
		assert.match(await page.textContent("#drive-seam"), /^[\d.]+ of [\d.]+ mm(, repaired|, forced)?$/);
		// A slider for what nobody points at: how high.
		assert.equal(await page.locator("#drive-panel .row.range:visible").count(), 1);
		await page.focus("#drive-scene");
		await page.keyboard.press("1");
		assert.equal(await list.inputValue(), "box");
		assert.deepEqual(await page.locator("#drive-panel .row.range:visible label").allTextContents(), ["right wrist height at hit", "Characters"]);
		await page.close();
	},

	async "punches where the floor was clicked"() {
		const page = await open("nodes.html"), box = await page.locator("#drive-scene").boundingBox();
		// Ahead of who stands at the origin, and somewhat to the left.
		const spot = await page.evaluate(() => {
			const { driver } = window.reprise, place = driver.session.player.parametersOf(1).map(({ low, high }) => low + 0.6 * (high - low));
			return { x: place[0], y: place[1], z: place[2], aim: driver.session.main.input.aim(place[0], place[2]) };
		});
		assert.ok(spot.aim);
		await page.getByRole("slider", { name: "right wrist height at hit" }).fill(spot.y.toFixed(2));
		// How near a fist comes to the place.
		const hit = await page.evaluate(y => {
			const { driver } = window.reprise, { session } = driver, { skeleton } = session.player, wrist = skeleton.joints.findIndex(({ role }) => role === "right_wrist");
			const { asked } = session.main;
			let near = Infinity;
			session.main.character.onPose = ({ positions }) => {
				near = Math.min(near, Math.hypot(...["targetX", "targetY", "targetZ"].map((key, k) => positions[3 * wrist + k] - asked[key])));
			};
			driver.stage.draw = () => {};
			window.isLive = true;
			while (session.ticks < 600) driver.advance(1 / 60);
			window.isLive = false;
			session.main.character.onPose = null;
			return { near, asked: { ...asked } };
		}, spot.y);
		console.log(`  ${(100 * hit.near).toFixed(1)} cm from the place`);
		assert.ok(hit.near < 0.04, JSON.stringify(hit));
		// A click says so too, is no place to go to, and Escape takes it back.
		await page.evaluate(() => { delete window.reprise.driver.stage.draw; });
		await page.mouse.click(box.x + 0.7 * box.width, box.y + 0.7 * box.height);
		await advance(page, 2);
		const { asked } = await look(page);
		assert.ok(Math.abs(asked.targetX - spot.x) > 0.1 && asked.targetY === +spot.y.toFixed(2) && !(await page.evaluate(() => window.reprise.driver.controls.goal.isSet)));
		await advance(page, 400);
		await settle(page);
		assert.match(await page.textContent("#drive-aim"), /^(on target|[\d.]+ m off)$/);
		await page.keyboard.press("Escape");
		await advance(page, 2);
		assert.ok(Number.isNaN((await look(page)).asked.targetX));
		await page.close();
	},

	async "nodes that turn go where they are steered, Shift runs"() {
		const page = await open("nodes.html");
		await page.selectOption("#drive-panel select >> nth=0", { index: 1 });
		await page.waitForFunction(() => window.reprise.driver.session.player.requests.includes("walk"));
		await page.focus("#drive-scene");
		await setYaw(page, Math.PI);
		const walked = await hold(page, ["ArrowUp"], 8);
		assert.ok(walked.z > 4 && Math.abs(walked.heading) < 0.3 && walked.asked.request === 1, JSON.stringify(walked));
		const left = await hold(page, ["ArrowLeft"], 7);
		assert.ok(Math.abs(left.heading - Math.PI / 2) < 0.4, JSON.stringify(left));
		const running = await hold(page, ["ArrowUp", "Shift"], 7);
		assert.ok(running.speed > 1.8 && running.asked.request === 2, JSON.stringify(running));
		await settle(page);
		assert.match(await page.textContent("#drive-doing"), /^run, motion \d+$/);
		assert.match(await page.textContent("#drive-answer"), /ms/);
		// A slider says how fast, by how far a stick is pushed.
		const speeds = [];
		await page.getByRole("combobox", { name: "Do" }).selectOption("walk");
		for (const key of ["Home", "End"]) {
			await page.getByRole("slider", { name: "speed", exact: true }).press(key);
			await page.focus("#drive-scene");
			speeds.push((await hold(page, ["ArrowUp"], 7)).speed);
		}
		console.log(`  ${speeds.map(speed => speed.toFixed(2)).join(" and ")} m/s`);
		assert.ok(speeds[0] < 1.15 && speeds[1] > 1.35, `${speeds}`);
		// With the other beside, whose choice is his own.
		await page.selectOption("#drive-panel select >> nth=2", { index: 1 });
		await page.waitForFunction(() => window.reprise.driver.session.rival);
		await page.focus("#drive-scene");
		const seen = await hold(page, ["ArrowUp"], 3);
		assert.ok(seen.z > 1 && Math.hypot(seen.rival.x, seen.rival.z) < 2, JSON.stringify(seen));
		const again = await page.evaluate(() => {
			const { driver } = window.reprise, { tape } = driver.session.main.character, at = tick => [...tape.ground.slice(3 * tick, 3 * tick + 3), tape.nodes[tick], tape.motions[tick]];
			const before = [at(100), at(170)];
			driver.seek(170);
			driver.takeOver();
			return { same: JSON.stringify(before) === JSON.stringify([at(100), at(170)]), count: tape.count };
		});
		assert.deepEqual(again, { same: true, count: 171 });
		await page.close();
	},

	async "records what reprise play makes of nodes"() {
		for (const [model, bundle, header] of [[0, "boxer", "time,node,x,y,target_x,target_y,target_z,right_wrist_y_hit_m"], [1, "strider", "time,node,x,y,lean"]]) {
			const page = await open("nodes.html");
			if (model) await page.selectOption("#drive-panel select >> nth=0", { index: model });
			await page.waitForFunction(name => window.reprise.driver.session.player.requests[1] === name, model ? "walk" : "box");
			await page.focus("#drive-scene");
			await setYaw(page, 2.2);
			if (model) {
				await hold(page, ["ArrowUp"], 4);
				await hold(page, ["ArrowLeft", "Shift"], 4);
				await page.locator("#drive-panel input[type=checkbox]").first().uncheck();
				await page.focus("#drive-scene");
				await hold(page, ["KeyD"], 5);
			} else {
				await advance(page, 200);
				await page.getByRole("slider", { name: "right wrist height at hit" }).fill("1.37");
				await advance(page, 200);
				await page.evaluate(() => window.reprise.driver.session.main.input.aim(0.31, 0.72));
				await advance(page, 300);
				await page.focus("#drive-scene");
				await page.keyboard.press("2");
				await hold(page, ["ArrowLeft"], 3);
				await page.keyboard.press("0");
				await advance(page, 150);
			}
			await page.keyboard.press("p");
			const script = await save(page, "#drive-save-script"), motion = await save(page, "#drive-save-motion");
			assert.equal(fs.readFileSync(script, "utf8").split("\n")[0], header);
			const native = path.join(folder, `native-${bundle}.bvh`), said = (await page.textContent("#drive-command")).match(/--seconds ([\d.]+)/)[1];
			play(`${bundle}.rpb`, script, said, native);
			const made = readBvh(motion), far = compare(made, readBvh(native));
			console.log(`  ${bundle}: ${made.rows.length} frames, ${far.metres} m and ${far.degrees} degrees apart at most`);
			assert.ok(far.metres < 2e-7 && far.degrees < 1e-4, JSON.stringify(far));
			await page.close();
		}
	},

	async "two players under one stick, and who answers sooner"() {
		const page = await open();
		const offers = await page.locator("#drive-panel select >> nth=1").locator("option").allTextContents();
		assert.deepEqual(offers, ["nobody", "walks", "the same, looks 0.3 s ahead", "the same, feet not held", "the same, no bending", "the same, no layers"]);
		for (let k = 1; k < offers.length; ++k) {
			await page.selectOption("#drive-panel select >> nth=1", { index: k });
			await page.waitForFunction(name => window.reprise.driver.session.rival?.character.def.name === name, offers[k].replace("the same, ", ""));
			await page.focus("#drive-scene");
			await setYaw(page, Math.PI);
			const seen = await hold(page, ["ArrowUp"], 5);
			// A graph of walks walks already: to turn is a change for all, which may take more than once to be half done in time.
			const answered = () => page.evaluate(() => window.reprise.driver.session.rival.answers.count > 0);
			for (const key of ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"]) {
				await hold(page, [key], 4);
				if (await answered()) break;
			}
			assert.ok(seen.rival.z > 2 && Math.abs(seen.rival.x - seen.x) > 0.4, JSON.stringify([offers[k], seen]));
			await waitTicks(page, 8);
			assert.ok((await countHues(page)).green > 500, offers[k]);
			assert.match(await page.textContent("#drive-answer"), /\d+ ms/);
			assert.match(await page.textContent("#drive-rival-answer"), /\d+ ms/);
		}
		await page.selectOption("#drive-panel select >> nth=1", { index: 0 });
		await page.waitForFunction(() => !window.reprise.driver.session.rival);
		await page.close();
	},

	async "two players go back together, to the bit"() {
		const page = await open();
		await page.selectOption("#drive-panel select >> nth=1", { index: 1 });
		await page.waitForFunction(() => window.reprise.driver.session.rival);
		await page.focus("#drive-scene");
		await setYaw(page, 2.2);
		await hold(page, ["ArrowUp"], 4);
		await hold(page, ["ArrowLeft"], 3);
		const result = await page.evaluate(() => {
			const { driver } = window.reprise, { session } = driver, tapes = [session.main, session.rival].map(driven => driven.character.tape);
			const read = () => JSON.stringify(tapes.map(tape => [130, 290, 310].map(tick => [...tape.ground.slice(3 * tick, 3 * tick + 3)])));
			const before = read();
			driver.seek(310);
			driver.takeOver();
			return { same: before === read(), counts: tapes.map(tape => tape.count), early: session.main.character.remembers(-1) };
		});
		assert.deepEqual(result, { same: true, counts: [311, 311], early: false });
		await page.close();
	},

	async "shows the frame without foot lock as a ghost"() {
		const page = await open();
		await setYaw(page, Math.PI);
		await hold(page, ["ArrowUp"], 3);
		await page.click("#drive-ghost");
		await page.focus("#drive-scene");
		await hold(page, ["ArrowUp"], 2);
		const far = await page.evaluate(() => {
			const { main, ghost } = window.reprise.driver.session, a = main.character.tape, b = ghost.tape, n = a.points.length / 3601;
			let most = 0;
			for (let tick = 0; tick < a.count; ++tick) for (let k = 0; k < n; ++k) most = Math.max(most, Math.abs(a.points[n * tick + k] - b.points[n * tick + k]));
			return { most, counts: [a.count, b.count] };
		});
		assert.equal(far.counts[0], far.counts[1]);
		// The same steps, but for what holding the feet does.
		assert.ok(far.most > 1e-4 && far.most < 0.15, JSON.stringify(far));
		assert.equal(await page.getAttribute("#drive-ghost", "aria-pressed"), "true");
		await page.close();
	},

	async "twenty characters, and little for each"() {
		const page = await open();
		await page.evaluate(() => {
			const bar = [...document.querySelectorAll("#drive-panel input[type=range]")].pop();
			bar.value = 20;
			bar.dispatchEvent(new Event("change"));
		});
		await page.waitForFunction(() => window.reprise.driver.session.others.length === 19);
		await page.focus("#drive-scene");
		const seen = await hold(page, ["ArrowUp"], 3);
		await waitTicks(page, 6);
		assert.ok(seen.ticks > 180);
		const spread = await page.evaluate(() => window.reprise.driver.session.others.map(({ tape }) => [0, 1].map(k => tape.ground[3 * tape.slot(tape.count - 1) + k].toFixed(2)).join()));
		assert.equal(new Set(spread).size, 19);
		await page.close();
	},

	async "slow motion, pause and steps"() {
		const page = await open();
		await waitTicks(page, 30);
		await page.keyboard.press("p");
		await settle(page);
		const before = await look(page);
		await page.waitForTimeout(300);
		assert.equal((await look(page)).ticks, before.ticks);
		const time = await page.textContent("#drive-time");
		await page.keyboard.press(",");
		await settle(page);
		assert.notEqual(await page.textContent("#drive-time"), time);
		assert.match(await page.textContent("#drive-frame"), /ago$/);
		for (let i = 0; i < 12; ++i) await page.keyboard.press("[");
		assert.equal(await page.inputValue("#drive-rate"), "0.1");
		await page.close();
	},

	async "a damaged bundle says so"() {
		const text = fs.readFileSync(path.join(folder, "drive.html"), "utf8"), at = text.indexOf('"bundle":"') + 4000;
		fs.writeFileSync(path.join(folder, "damaged.html"), text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
		const page = await openPage(browser, folder, "damaged.html");
		await page.waitForSelector("#drive-failed:not([hidden])");
		assert.match(await page.textContent("#drive-failed"), /^The character cannot be driven here: .{10,}/);
		await page.close();
	},

	async "without WebAssembly clips still play, and the page says why nobody is driven"() {
		const page = await openPage(browser, folder, "both.html", small, {}, () => { delete window.WebAssembly; });
		await page.waitForSelector("#drive-failed:not([hidden])");
		assert.match(await page.textContent("#drive-failed"), /WebAssembly/);
		assert.ok(await page.isVisible("#scene"));
		await page.close();
	},

	async "without WebGL the painter draws"() {
		const page = await open("drive.html", small, {}, () => {
			const get = HTMLCanvasElement.prototype.getContext;
			HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };
		});
		assert.equal(await page.evaluate(() => window.reprise.driver.stage.kind), "canvas");
		await waitTicks(page, 30);
		const hues = await countHues(page);
		assert.ok(hues.blue > 500 && hues.orange > 500, JSON.stringify(hues));
		await page.close();
	},

	async "a touch stick drives on a phone"() {
		const page = await open("drive.html", sizes[1], { hasTouch: true, isMobile: true });
		const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
		assert.ok(wide[0] <= wide[1], wide.join());
		await setYaw(page, Math.PI);
		const stick = await page.locator("#drive-stick").boundingBox(), x = stick.x + stick.width / 2, y = stick.y + stick.height / 2;
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x, y - 40);
		await waitTicks(page, 240);
		const seen = await look(page);
		await page.mouse.up();
		assert.ok(seen.z > 0.8 && seen.asked.stickZ > 0.3 && seen.asked.speed === 0, JSON.stringify(seen));
		await page.close();
	},

	async "a gamepad drives, and looks round"() {
		const page = await open("drive.html", small, {}, () => {
			window.pad = { axes: [0, 0, 0, 0], buttons: Array.from({ length: 16 }, () => ({ pressed: false })) };
			navigator.getGamepads = () => [null, window.pad];
		});
		await page.evaluate(() => {
			dispatchEvent(new Event("gamepadconnected"));
			window.reprise.driver.camera.yaw = Math.PI;
			window.pad.axes[1] = -0.7;
		});
		await advance(page, 240);
		const walked = await look(page);
		// So far as it is pushed is a speed.
		assert.ok(walked.z > 1 && walked.asked.request === 1 && walked.asked.speed === 0 && Math.abs(walked.asked.stickZ - 0.7) < 1e-6, JSON.stringify(walked));
		await page.evaluate(() => { window.pad.buttons[0].pressed = true; });
		await advance(page, 60);
		assert.equal((await look(page)).asked.request, 2);
		const yaw = await page.evaluate(() => window.reprise.driver.camera.yaw);
		await page.evaluate(() => { window.pad.axes[2] = 1; });
		await waitTicks(page, 20);
		assert.ok(await page.evaluate(() => window.reprise.driver.camera.yaw) < yaw - 0.2);
		await page.evaluate(() => {
			window.pad.axes.fill(0);
			window.pad.buttons[0].pressed = false;
		});
		await advance(page, 10);
		assert.equal((await look(page)).asked.request, 0);
		await page.close();
	},

	async "follows a system that turns dark"() {
		const page = await open("drive.html", small, { colorScheme: "light" });
		await waitTicks(page, 20);
		const brightness = async () => (await page.locator("#drive-scene").screenshot()).length && page.evaluate(() => getComputedStyle(document.body).backgroundColor);
		const light = await brightness();
		await page.emulateMedia({ colorScheme: "dark" });
		await waitTicks(page, 6);
		assert.notEqual(await brightness(), light);
		const hues = await countHues(page);
		assert.ok(hues.blue > 500 && hues.orange > 500, JSON.stringify(hues));
		await page.close();
	},

	async "fits the window, light and dark"() {
		for (const name of ["drive.html", "both.html", "spaces.html", "nodes.html"])
			for (const viewport of sizes)
				for (const colorScheme of ["light", "dark"]) {
					const page = await open(name, viewport, { colorScheme });
					await settle(page);
					const outside = await page.evaluate(() => [...document.body.querySelectorAll("*")].filter(element => {
						const box = element.getBoundingClientRect();
						return box.width > 1 && (box.left < -0.5 || box.right > innerWidth + 0.5);
					}).map(element => element.outerHTML.slice(0, 80)));
					assert.deepEqual(outside, [], `${name} at ${viewport.width}`);
					await page.close();
				}
	},

	async "axe finds nothing to complain of"() {
		const source = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
		for (const name of ["drive.html", "both.html", "spaces.html", "nodes.html"])
			for (const colorScheme of ["light", "dark"]) {
				const page = await open(name, sizes[0], { colorScheme });
				await page.click(".help summary");
				await page.evaluate(source);
				const found = await page.evaluate(async () => (await window.axe.run(document)).violations.map(v => `${v.id}: ${v.nodes.map(n => n.html.slice(0, 90)).join(" | ")}`));
				assert.deepEqual(found, [], `${name}, ${colorScheme}`);
				await page.close();
			}
	},

	async "keys go to the part that was used last"() {
		const page = await open("both.html");
		await page.keyboard.down("ArrowUp");
		await waitTicks(page, 20);
		assert.equal((await look(page)).asked.request, 1);
		await page.click("#viewer .legend", { force: true, position: { x: 1, y: 1 } }).catch(() => page.click("#clip-name"));
		await page.locator("#viewer").scrollIntoViewIfNeeded();
		await page.evaluate(() => scrollTo(0, 0));
		await waitTicks(page, 20);
		// The key that is still down counts as released.
		assert.equal((await look(page)).asked.request, 0);
		await page.keyboard.up("ArrowUp");
		await page.close();
	},
};

await run(tests, browser);
