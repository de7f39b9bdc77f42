// The controls beside the stage: rows with a name, in groups.

export interface SliderDef {
	min: number;
	max: number;
	step: number;
	value: number;
	unit: string;
	/** Only tell when the slider is let go. */
	isLate?: boolean;
	/** How its value is written. */
	print?: (value: number) => string;
	/** What of it can be had. */
	region?: readonly [number, number];
}

/** A slider with a mark where what was had is, and words below it. */
export interface Gauge {
	/** Not a number: no mark. */
	show(value: number, text: string): void;
	hide(isHidden: boolean): void;
}

let made = 0;

/** How much of a slider lies behind its thumb, for the style. */
export function fillBar(bar: HTMLInputElement): void {
	const part = (+bar.value - +bar.min) / (+bar.max - +bar.min || 1);
	bar.style.setProperty("--done", `calc(${(100 * part).toFixed(3)}% + ${(8 - 16 * part).toFixed(3)}px)`);
}

// Where on a slider a value is; its thumb is 16 px wide.
function placeOn(def: SliderDef, value: number): string {
	const part = Math.min(Math.max((value - def.min) / (def.max - def.min || 1), 0), 1);
	return `calc(${(100 * part).toFixed(3)}% + ${(8 - 16 * part).toFixed(3)}px)`;
}

export class Panel {
	constructor(private readonly element: HTMLElement) {
	}

	clear(): void {
		this.element.replaceChildren();
	}

	addSlider(title: string, def: SliderDef, onChange: (value: number) => void): HTMLInputElement {
		const bar = document.createElement("input"), said = document.createElement("output");
		bar.type = "range";
		bar.min = String(def.min);
		bar.max = String(def.max);
		bar.step = String(def.step);
		bar.value = String(def.value);
		const show = () => {
			said.textContent = def.print ? def.print(+bar.value) : `${def.step < 1 ? (+bar.value).toFixed(2) : bar.value}${def.unit}`;
			bar.setAttribute("aria-valuetext", said.textContent);
			fillBar(bar);
		};
		bar.addEventListener("input", show);
		bar.addEventListener(def.isLate ? "change" : "input", () => onChange(+bar.value));
		this.addRow("range", title, bar).append(said);
		show();
		return bar;
	}

	addGauge(title: string, def: SliderDef, onChange: (value: number) => void): Gauge {
		const bar = this.addSlider(title, def, onChange), row = bar.parentElement!;
		const track = document.createElement("div"), region = document.createElement("i"), mark = document.createElement("i"), note = document.createElement("small");
		const [low, high] = def.region ?? [def.min, def.max];
		track.className = "gauge";
		region.className = "region";
		region.style.left = placeOn(def, low);
		region.style.width = `calc(${placeOn(def, high)} - ${placeOn(def, low)})`;
		mark.className = "mark";
		mark.hidden = true;
		note.id = `${bar.id}-note`;
		bar.setAttribute("aria-describedby", note.id);
		bar.replaceWith(track);
		track.append(region, bar, mark);
		row.append(note);
		let shown = NaN, text = "";
		return {
			show(value, words) {
				if (!Object.is(value, shown)) {
					mark.hidden = value !== value;
					if (value === value) mark.style.left = placeOn(def, value);
				}
				if (words !== text) note.textContent = words;
				shown = value;
				text = words;
			},
			hide(isHidden) {
				row.hidden = isHidden;
			},
		};
	}

	addChoice(title: string, names: readonly string[], chosen: number, onChange: (index: number) => void): HTMLSelectElement {
		const list = document.createElement("select");
		for (const name of names) list.append(new Option(name));
		list.selectedIndex = chosen;
		list.addEventListener("change", () => onChange(list.selectedIndex));
		this.addRow("choice", title, list);
		return list;
	}

	addSwitch(title: string, on: boolean, onChange: (on: boolean) => void): HTMLInputElement {
		const box = document.createElement("input");
		box.type = "checkbox";
		box.checked = on;
		box.addEventListener("change", () => onChange(box.checked));
		this.addRow("switch", title, box);
		return box;
	}

	private addRow(kind: string, title: string, control: HTMLElement): HTMLElement {
		const row = document.createElement("div"), label = document.createElement("label");
		row.className = `row ${kind}`;
		control.id = `drive-${kind}-${++made}`;
		label.htmlFor = control.id;
		label.textContent = title;
		row.append(label, control);
		this.element.append(row);
		return row;
	}
}
