// The page's script begins here; esbuild makes one file of it and all that it imports (tools/build_web).
import type { PageData } from "./data.js";
import { Driver } from "./drive/driver.js";
import { openModels } from "./drive/model.js";
import type { Part } from "./part.js";
import { createViewer } from "./viewer/viewer.js";

const data = JSON.parse(document.getElementById("data")!.textContent!) as PageData;
const parts: Part[] = [];
// Which part keys go to: the one that was used last, at first the uppermost.
let active: Part | null = null;
const seen = new Set<Element>();

const sight = new IntersectionObserver(entries => {
	for (const { isIntersecting, target } of entries) if (isIntersecting) seen.add(target); else seen.delete(target);
});

function add(part: Part): void {
	parts.push(part);
	active ??= part;
	sight.observe(part.element);
	const use = () => {
		if (active !== part) active?.onBlur();
		active = part;
	};
	part.element.addEventListener("pointerdown", use, true);
	part.element.addEventListener("focusin", use);
}

let last = 0;
function run(now: number): void {
	const seconds = Math.min(Math.max((now - last) / 1000, 0), 0.1);
	last = now;
	for (let i = 0; i < parts.length; ++i) if (seen.has(parts[i].element)) parts[i].advance(seconds);
	requestAnimationFrame(run);
}

function listen(): void {
	for (const type of ["keydown", "keyup"] as const)
		addEventListener(type, event => {
			if (type === "keydown" && (event.ctrlKey || event.metaKey || event.altKey)) return;
			if (active?.onKey(event, type === "keydown")) event.preventDefault();
		});
	addEventListener("blur", () => active?.onBlur());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const part of parts) part.onColors(); });
}

// The driver comes first, and where it cannot come the page says why.
async function openDriver(): Promise<void> {
	const element = document.getElementById("drive")!;
	if (!data.models.length) return;
	element.hidden = false;
	try {
		const models = await openModels(data);
		await models[0].open();
		const driver = new Driver(models, { model: models[0], rival: null, count: 1 });
		add(driver);
		active = driver;
		// For a browser's console, and for tests.
		Object.assign(window, { reprise: { driver } });
		if (matchMedia("(prefers-reduced-motion: reduce)").matches) driver.pause();
	} catch (error) {
		const text = document.getElementById("drive-failed")!;
		text.textContent = `The character cannot be driven here: ${error instanceof Error ? error.message : error}`;
		text.hidden = false;
		element.classList.add("failed");
	}
}

if (data.clips.length) {
	const element = document.getElementById("viewer")!;
	element.hidden = false;
	add(createViewer(element, data.clips));
}
listen();
requestAnimationFrame(run);
openDriver();
