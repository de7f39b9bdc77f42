// Film strips of clips for the list: moments side by side, each seen as the clip is when it is chosen.
import { aim, makeCamera, makeEye } from "../stage/camera.js";
import type { Palette } from "../stage/colors.js";
import { paintBody, paintShadow } from "../stage/painter.js";
import type { Body } from "../stage/scene.js";
import { getPixelRatio } from "../stage/stage.js";
import type { Clip } from "./clip.js";
import { SIDE_VIEW } from "./lanes.js";

// Width of a moment, in heights; how much of the height a body takes; how far off it is seen from, in statures; radians.
const CELL = 0.72, FILL = 0.88, DISTANCE = 12, PITCH = 0.12;

function snapMoments(clip: Clip, count: number): Body[] {
	return Array.from({ length: count }, (_, k) => {
		const points = clip.snap(count > 1 ? Math.round(k * (clip.data.count - 1) / (count - 1)) : 0);
		return { figure: clip.data, points, opacity: 1, paint: null, name: "" };
	});
}

function findTop(clip: Clip, bodies: readonly Body[]): number {
	let top = clip.data.floor + clip.data.stature;
	for (const { points } of bodies) for (let k = 1; k < points.length; k += 3) top = Math.max(top, points[k]);
	return top;
}

/** Draw a clip's strip as its canvas is now. */
export function drawStrip(canvas: HTMLCanvasElement, clip: Clip, palette: Palette): void {
	const { clientWidth: width, clientHeight: height } = canvas, { floor, stature, heading } = clip.data, ratio = getPixelRatio();
	if (width < 1 || height < 1) return;
	const count = Math.max(Math.min(Math.floor(width / (CELL * height)), clip.data.count), 1), bodies = snapMoments(clip, count);
	const top = findTop(clip, bodies), camera = makeCamera(), eye = makeEye(), pen = canvas.getContext("2d")!;
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	Object.assign(camera, { yaw: heading - SIDE_VIEW, pitch: PITCH, distance: DISTANCE * stature, width: width / count, height });
	camera.target = [0, (top + floor) / 2, 0];
	aim(camera, eye);
	eye.focal = FILL * height / Math.max(top - floor, 1e-3) * camera.distance;
	bodies.forEach((body, k) => {
		pen.setTransform(ratio, 0, 0, ratio, ratio * k * camera.width, 0);
		paintShadow({ pen, eye, palette }, body, floor);
		paintBody({ pen, eye, palette }, body);
	});
	canvas.classList.add("seen");
}

/** Draws strips when they come into sight: a page may hold hundreds. */
export class Strips {
	private readonly clips = new Map<Element, Clip>();
	private readonly sight = new IntersectionObserver(entries => {
		for (const { isIntersecting, target } of entries) {
			if (!isIntersecting) continue;
			this.sight.unobserve(target);
			this.draw(target as HTMLCanvasElement);
		}
	}, { rootMargin: "200px" });

	constructor(private readonly palette: Palette) {}

	private draw(canvas: HTMLCanvasElement): void {
		drawStrip(canvas, this.clips.get(canvas)!, this.palette);
	}

	make(clip: Clip): HTMLCanvasElement {
		const canvas = document.createElement("canvas");
		canvas.className = "strip";
		canvas.setAttribute("role", "img");
		canvas.setAttribute("aria-label", `Film strip of ${clip.data.name}`);
		this.clips.set(canvas, clip);
		this.sight.observe(canvas);
		return canvas;
	}

	/** Draw those again that were seen: all, or those that have another size now. */
	redraw(isNew: boolean): void {
		for (const canvas of this.clips.keys() as Iterable<HTMLCanvasElement>)
			if (canvas.classList.contains("seen") && (isNew || canvas.width !== Math.round(canvas.clientWidth * getPixelRatio()))) this.draw(canvas);
	}
}
