// The page's script begins here; esbuild makes one file of it and all that it imports (tools/build_web).
import type { PageData } from "./data.js";
import { createViewer } from "./viewer/viewer.js";

const data: PageData = JSON.parse(document.getElementById("data")!.textContent!);
const viewer = createViewer(document.querySelector<HTMLElement>(".viewer")!, data.clips);

addEventListener("keydown", event => {
	if (!event.ctrlKey && !event.metaKey && !event.altKey && viewer.onKey(event, true)) event.preventDefault();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => viewer.onColors());

let last = 0;
function tick(now: number): void {
	viewer.advance(Math.min((now - last) / 1000, 0.1));
	last = now;
	requestAnimationFrame(tick);
}
requestAnimationFrame(tick);
