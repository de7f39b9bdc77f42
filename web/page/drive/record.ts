// What was driven, as files: the inputs for `reprise play`, and the motion.
import { BvhWriter } from "./bvh.js";
import { writeScript } from "./log.js";
import type { Session } from "./session.js";
import { RATE, TICK } from "./tape.js";

export function download(name: string, text: string, type: string): void {
	const link = document.createElement("a"), url = URL.createObjectURL(new Blob([text], { type }));
	link.href = url;
	link.download = name;
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name that every file system takes. */
export function makeFileName(name: string, ending: string): string {
	const plain = name.normalize("NFKD").replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
	return `${plain || "drive"}${ending}`;
}

export function printScript(session: Session): string {
	const player = session.player;
	const parameters = Array.from({ length: Math.max(player.requests.length, 1) }, (_, request) => player.parametersOf(request).map(({ key }) => key));
	return writeScript(session.log, { model: player.model, requests: player.requests, parameters, layers: player.layers.map(layer => layer.name) });
}

/** All that was shown since the beginning; the first frame is the beginning itself. */
export function printMotion(session: Session): string {
	const writer = new BvhWriter(session.player.skeleton, RATE);
	session.repeat(pose => writer.add(pose));
	return writer.finish();
}

/** What does the same in a terminal. */
export function printCommand(session: Session): string {
	// As many ticks and half of one more, so that rounding takes none away.
	const name = session.main.character.def.model.name, seconds = ((session.ticks - 0.5) * TICK).toFixed(3);
	return `reprise play ${makeFileName(name, ".rpb")} --script ${makeFileName(name, ".csv")} --seconds ${seconds} -o ${makeFileName(name, ".bvh")}`;
}
