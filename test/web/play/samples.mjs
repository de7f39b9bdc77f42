// The samples in a real browser, served from a folder, and steered by keys. Usage: CHROMIUM=… node samples.mjs FOLDER [PICTURES]
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";

const [folder, pictures] = process.argv.slice(2);
const kinds = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".rpb": "application/octet-stream" };

const server = http.createServer((request, response) => {
	const file = path.join(folder, decodeURIComponent(new URL(request.url, "http://x").pathname));
	if (!fs.existsSync(file)) return response.writeHead(404).end();
	response.writeHead(200, { "content-type": kinds[path.extname(file)] ?? "text/plain" }).end(fs.readFileSync(file));
});
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ["--no-sandbox", "--headless", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// How many pixels are of a limb.s blue.
const countDrawn = (page, image) => page.evaluate(async source => {
	const picture = new Image();
	picture.src = source;
	await picture.decode();
	const canvas = new OffscreenCanvas(picture.width, picture.height), context = canvas.getContext("2d");
	let blue = 0;
	context.drawImage(picture, 0, 0);
	const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
	for (let i = 0; i < data.length; i += 4) blue += data[i + 2] > data[i] + 30 && data[i + 2] > 90;
	return blue;
}, `data:image/png;base64,${image.toString("base64")}`);

for (const name of ["canvas", "three"]) {
	const page = await browser.newPage({ viewport: { width: 640, height: 480 } }), complaints = [];
	page.on("pageerror", error => complaints.push(error.message));
	page.on("console", message => { if (message.type() === "error" && !message.text().includes("favicon")) complaints.push(message.text()); });
	page.on("response", response => { if (response.status() === 404 && !response.url().endsWith("favicon.ico")) complaints.push(response.url()); });
	await page.goto(`http://127.0.0.1:${server.address().port}/${name}.html`);
	await page.waitForTimeout(1000);
	const before = await page.screenshot();
	await page.keyboard.down("ArrowRight");
	await page.waitForTimeout(2500);
	const after = await page.screenshot();
	await page.keyboard.down("Shift");
	await page.waitForTimeout(1500);
	if (pictures) fs.writeFileSync(path.join(pictures, `${name}.png`), await page.screenshot());
	const drawn = [await countDrawn(page, before), await countDrawn(page, after)];
	assert.deepEqual(complaints.filter(text => !/favicon|404/.test(text)), []);
	assert.ok(drawn.every(count => count > 300), `${drawn} blue pixels`);
	assert.ok(!before.equals(after));
	console.log(`ok ${name}`);
	await page.close();
}
await browser.close();
server.close();
