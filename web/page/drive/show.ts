// From tapes to a scene: who is where at a time, what rests, where they came from and where they go.
import { EFFECTORS } from "../../play/reprise-play.ts";
import type { Body, Line, Mark, Paint, Scene } from "../stage/scene.js";
import type { Character } from "./character.js";
import type { Goal } from "./goal.js";
import type { Session } from "./session.js";
import { AHEAD, RATE } from "./tape.js";

/** The path that is shown: so many seconds of it, a point every few ticks. */
const TRAIL_SECONDS = 20;
const TRAIL_STEP = 4;
const TRAIL_POINTS = (TRAIL_SECONDS * RATE) / TRAIL_STEP + 2;

/** Radii of prints, as parts of the stature: heels, and the rest. */
const HEEL = 0.024, BALL = 0.03;

const sides = EFFECTORS.map(name => (name.startsWith("left") ? "left" : name.startsWith("right") ? "right" : "body")) as Paint[];
const isHeel = EFFECTORS.map(name => name.endsWith("heel"));

export interface ShowOptions {
	path: boolean;
	contacts: boolean;
}

export class Show {
	readonly scene: Scene = { floor: 0, bodies: [], bodyCount: 0, lines: [], lineCount: 0, marks: [], markCount: 0 };

	/** Fill the scene with what was shown at a time, in ticks. */
	fill(session: Session, time: number, goal: Goal, options: ShowOptions): void {
		const scene = this.scene, { main, rival, ghost } = session;
		scene.bodyCount = scene.lineCount = scene.markCount = 0;
		this.addBody(main.character, time, 1);
		if (rival) this.addBody(rival.character, time, 1);
		for (const other of session.others) this.addBody(other, time, 1);
		// What is made ahead is shown later: his ghost waits for him.
		if (ghost) this.addBody(ghost, Math.max(time - main.character.delay, ghost.tape.first), 0.4);
		for (const driven of [main, rival]) {
			if (!driven) continue;
			if (options.path) this.addPaths(driven.character, time, driven === main ? "accent" : "other");
			if (options.contacts) this.addContacts(driven.character, Math.floor(time));
		}
		this.addWanted(main.character, time);
		if (goal.isSet) this.addMark(goal.x, 0, goal.z, 0.16, "accent", 0.9, true);
	}

	private addBody(character: Character, time: number, opacity: number): void {
		const scene = this.scene, { figure } = character.def.model;
		let body: Body | undefined = scene.bodies[scene.bodyCount];
		if (!body || body.figure !== figure) {
			body = { figure, points: new Float32Array(3 * figure.pointCount), opacity, paint: null, name: "" };
			scene.bodies[scene.bodyCount] = body;
		}
		++scene.bodyCount;
		body.opacity = opacity;
		body.paint = character.def.paint;
		body.name = character.def.name;
		character.tape.blendPoints(time, body.points);
	}

	private takeLine(paint: Paint, opacity: number, width: number, dashed: boolean): Line {
		const scene = this.scene;
		let line: Line | undefined = scene.lines[scene.lineCount];
		if (!line) {
			line = { points: new Float32Array(3 * TRAIL_POINTS), count: 0, paint, opacity, width, dashed };
			scene.lines[scene.lineCount] = line;
		}
		++scene.lineCount;
		line.count = 0;
		line.paint = paint;
		line.opacity = opacity;
		line.width = width;
		line.dashed = dashed;
		return line;
	}

	private addPaths(character: Character, time: number, paint: Paint): void {
		const tape = character.tape, now = Math.min(Math.floor(time), tape.count - 1), slot = tape.slot(now), g = tape.ground;
		const walked = this.takeLine(paint, 0.75, 2.5, false);
		// Points stay where they are while the end moves on.
		for (let tick = Math.ceil(Math.max(now - TRAIL_SECONDS * RATE, tape.first) / TRAIL_STEP) * TRAIL_STEP; tick < now; tick += TRAIL_STEP)
			addPoint(walked, g[3 * tape.slot(tick)], g[3 * tape.slot(tick) + 1]);
		tape.blendPlace(time, place);
		addPoint(walked, place[0], place[1]);
		const ahead = this.takeLine(paint, 0.7, 2, true);
		addPoint(ahead, place[0], place[1]);
		for (let k = 0; k < AHEAD; ++k) addPoint(ahead, tape.ahead[2 * (AHEAD * slot + k)], tape.ahead[2 * (AHEAD * slot + k) + 1]);
		this.addMark(tape.ahead[2 * (AHEAD * slot + AHEAD - 1)], 0, tape.ahead[2 * (AHEAD * slot + AHEAD - 1) + 1], 0.035, paint, 0.7, false);
	}

	// Which way was asked for: a line from the feet.
	private addWanted(character: Character, time: number): void {
		const tape = character.tape, at = 5 * tape.slot(Math.min(Math.floor(time), tape.count - 1)), x = tape.asked[at], z = tape.asked[at + 1];
		if (Math.hypot(x, z) < 0.1) return;
		tape.blendPlace(time, place);
		const line = this.takeLine("ink", 0.55, 4, false);
		addPoint(line, place[0] + 0.35 * x, place[1] + 0.35 * z);
		addPoint(line, place[0] + 0.85 * x, place[1] + 0.85 * z);
		this.addMark(place[0] + 0.85 * x, 0, place[1] + 0.85 * z, 0.05, "ink", 0.55, false);
	}

	private addContacts(character: Character, time: number): void {
		const tape = character.tape, slot = tape.slot(Math.min(time, tape.count - 1)), bits = tape.contacts[slot], n = EFFECTORS.length;
		const stature = character.def.model.figure.stature;
		for (let e = 0; e < n; ++e) {
			if (!((bits >>> e) & 1)) continue;
			const at = 3 * (n * slot + e), x = tape.effectors[at], z = tape.effectors[at + 2];
			if (!Number.isFinite(x)) continue;
			const radius = 1.3 * stature * (isHeel[e] ? HEEL : BALL), y = tape.supports[n * slot + e];
			this.addMark(x, y, z, radius, sides[e], 0.7, false);
			this.addMark(x, y, z, radius, sides[e], 1, true);
		}
	}

	private addMark(x: number, y: number, z: number, radius: number, paint: Paint, opacity: number, isRing: boolean): void {
		const scene = this.scene;
		let mark: Mark | undefined = scene.marks[scene.markCount];
		if (!mark) {
			mark = { x, y, z, radius, paint, opacity, isRing };
			scene.marks[scene.markCount] = mark;
		}
		++scene.markCount;
		mark.x = x;
		mark.y = y;
		mark.z = z;
		mark.radius = radius;
		mark.paint = paint;
		mark.opacity = opacity;
		mark.isRing = isRing;
	}
}

const place = [0, 0];

function addPoint(line: Line, x: number, z: number): void {
	const at = 3 * line.count++;
	line.points[at] = x;
	line.points[at + 1] = 0;
	line.points[at + 2] = z;
}
