// From tapes to a scene: who is where at a time, what rests, where they came from and where they go.
import { EFFECTORS } from "../../play/reprise-play.ts";
import { lengthOf } from "../length.js";
import { addBody, addLine, addMark, addPoint, clearScene, makeScene } from "../stage/fill.js";
import type { Paint } from "../stage/scene.js";
import type { Character } from "./character.js";
import type { Goal } from "./goal.js";
import type { Session } from "./session.js";
import { AHEAD, RATE } from "./tape.js";

/** The path that is shown: so many seconds of it, a point every few ticks. */
const TRAIL_SECONDS = 20;
const TRAIL_STEP = 4;

/** Radii of prints, as parts of the stature: heels, and the rest. */
const HEEL = 0.024, BALL = 0.03;

/** Pixels of a ring's line. */
const RING = 2;

const sides = EFFECTORS.map(name => (name.startsWith("left") ? "left" : name.startsWith("right") ? "right" : "body")) as Paint[];
const isHeel = EFFECTORS.map(name => name.endsWith("heel"));

export interface ShowOptions {
	path: boolean;
	contacts: boolean;
}

export class Show {
	readonly scene = makeScene();

	/** Fill the scene with what was shown at a time, in ticks. */
	fill(session: Session, time: number, goal: Goal, options: ShowOptions): void {
		const { main, rival, ghost, others } = session;
		clearScene(this.scene, 0);
		this.addBody(main.character, time, 1);
		if (rival) this.addBody(rival.character, time, 1);
		for (let i = 0; i < others.length; ++i) this.addBody(others[i], time, 1);
		// What is made ahead is shown later: his ghost waits for him.
		if (ghost) this.addBody(ghost, Math.max(time - main.character.delay, ghost.tape.first), 0.4);
		this.addTraces(main.character, time, "accent", options);
		if (rival) this.addTraces(rival.character, time, "other", options);
		this.addWanted(main.character, time);
		this.addTarget(main.character, time);
		if (goal.isSet) addMark(this.scene, goal.x, 0, goal.z, 0.16, "accent", 0.9, RING);
	}

	private addBody(character: Character, time: number, opacity: number): void {
		const body = addBody(this.scene, character.def.model.figure, character.points);
		body.opacity = opacity;
		body.paint = character.def.paint;
		body.name = character.def.name;
		character.tape.blendPoints(time, body.points);
	}

	private addTraces(character: Character, time: number, paint: Paint, options: ShowOptions): void {
		if (options.path) this.addPaths(character, time, paint);
		if (options.contacts) this.addContacts(character, Math.floor(time));
	}

	private addPaths(character: Character, time: number, paint: Paint): void {
		const tape = character.tape, now = Math.min(Math.floor(time), tape.count - 1), g = tape.ground;
		const walked = addLine(this.scene, paint, 0.75, 2.5);
		// Points stay where they are while the end moves on.
		for (let tick = Math.ceil(Math.max(now - TRAIL_SECONDS * RATE, tape.first) / TRAIL_STEP) * TRAIL_STEP; tick < now; tick += TRAIL_STEP)
			addPoint(walked, g[3 * tape.slot(tick)], 0, g[3 * tape.slot(tick) + 1]);
		tape.blendPlace(time, place);
		addPoint(walked, place[0], 0, place[1]);
		const planned = addLine(this.scene, paint, 0.7, 2), ahead = tape.ahead, at = 2 * AHEAD * tape.slot(now), end = at + 2 * AHEAD - 2;
		planned.dashed = true;
		addPoint(planned, place[0], 0, place[1]);
		for (let k = at; k <= end; k += 2) addPoint(planned, ahead[k], 0, ahead[k + 1]);
		addMark(this.scene, ahead[end], 0, ahead[end + 1], 0.035, paint, 0.7);
	}

	// Which way was asked for: a line from the feet.
	private addWanted(character: Character, time: number): void {
		const tape = character.tape, at = 5 * tape.slot(Math.min(Math.floor(time), tape.count - 1)), x = tape.asked[at], z = tape.asked[at + 1];
		if (lengthOf(x, z) < 0.1) return;
		tape.blendPlace(time, place);
		const line = addLine(this.scene, "ink", 0.55, 4);
		addPoint(line, place[0] + 0.35 * x, 0, place[1] + 0.35 * z);
		addPoint(line, place[0] + 0.85 * x, 0, place[1] + 0.85 * z);
		addMark(this.scene, place[0] + 0.85 * x, 0, place[1] + 0.85 * z, 0.05, "ink", 0.55);
	}

	// The place that was asked for: where it is on the floor, and how high.
	private addTarget({ tape }: Character, time: number): void {
		if (!tape.hasNodes) return;
		const at = 3 * tape.slot(Math.min(Math.floor(time), tape.count - 1)), x = tape.targets[at], y = tape.targets[at + 1], z = tape.targets[at + 2];
		if (x !== x) return;
		addMark(this.scene, x, 0, z, 0.1, "accent", 0.9, RING);
		if (y <= 0) return;
		const line = addLine(this.scene, "accent", 0.5, 1.5);
		addPoint(line, x, 0, z);
		addPoint(line, x, y, z);
		addMark(this.scene, x, y, z, 0.045, "accent", 0.9);
		addMark(this.scene, x, y, z, 0.07, "accent", 0.9, RING);
	}

	private addContacts(character: Character, time: number): void {
		const tape = character.tape, slot = tape.slot(Math.min(time, tape.count - 1)), bits = tape.contacts[slot], n = EFFECTORS.length;
		const stature = character.def.model.figure.stature;
		for (let e = 0; e < n; ++e) {
			if (!((bits >>> e) & 1)) continue;
			const at = 3 * (n * slot + e), x = tape.effectors[at], z = tape.effectors[at + 2];
			if (!Number.isFinite(x)) continue;
			const radius = 1.3 * stature * (isHeel[e] ? HEEL : BALL), y = tape.supports[n * slot + e];
			addMark(this.scene, x, y, z, radius, sides[e], 0.7);
			addMark(this.scene, x, y, z, radius, sides[e], 1, RING);
		}
	}
}

const place = new Float64Array(2);
