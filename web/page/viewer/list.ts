// The list of clips: a button and a film strip for each, and another button that shows it beside the others.
import type { Clip } from "./clip.js";
import type { State } from "./state.js";
import type { Strips } from "./strips.js";

type Select = (index: number, beside: boolean) => void;

interface Item {
	item: HTMLLIElement;
	choose: HTMLButtonElement;
	beside: HTMLButtonElement;
}

function makeButton(clip: Clip): HTMLButtonElement {
	const button = document.createElement("button"), name = document.createElement("b"), facts = document.createElement("span");
	name.textContent = clip.data.name;
	facts.textContent = `${clip.data.duration.toFixed(2)} s \u00b7 ${+clip.data.fps.toFixed(2)} Hz`;
	button.type = "button";
	button.className = "clip";
	button.title = clip.data.name;
	button.append(name, facts);
	return button;
}

function makeBeside(clip: Clip): HTMLButtonElement {
	const button = document.createElement("button");
	button.type = "button";
	button.className = "beside";
	button.title = "Show beside the others";
	button.setAttribute("aria-label", `Show ${clip.data.name} beside`);
	return button;
}

export class ClipList {
	private readonly items: Item[];

	constructor(list: HTMLElement, private readonly state: State, strips: Strips, select: Select) {
		const isAlone = state.clips.length < 2;
		this.items = state.clips.map((clip, index) => {
			const item = document.createElement("li"), choose = makeButton(clip), beside = makeBeside(clip);
			// One clip alone needs no strip to be found by.
			if (!isAlone) choose.append(strips.make(clip));
			choose.addEventListener("click", event => select(index, event.ctrlKey || event.metaKey));
			beside.addEventListener("click", () => select(index, true));
			beside.hidden = isAlone;
			item.append(choose, beside);
			list.append(item);
			return { item, choose, beside };
		});
	}

	/** Mark those that are shown. */
	update(): void {
		const { shown, main, clips } = this.state;
		clips.forEach((clip, i) => {
			const { item, choose, beside } = this.items[i];
			item.classList.toggle("shown", clip.isShown);
			choose.setAttribute("aria-current", String(clip === main));
			beside.setAttribute("aria-pressed", String(clip.isShown));
			beside.textContent = clip.isShown ? "\u2212" : "+";
			// The only clip shown cannot be taken away.
			beside.style.visibility = clip.isShown && shown.length === 1 ? "hidden" : "";
		});
	}
}
