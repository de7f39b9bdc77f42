// What the viewer shows: which clips, at what time, and how.
import type { ClipData } from "../data.js";
import { Clip } from "./clip.js";

export const MIN_SPEED = 0.1, MAX_SPEED = 2;

export class State {
	readonly clips: readonly Clip[];
	/** The one whose tracks and facts are shown; null on a page without clips. */
	main: Clip | null = null;
	time = 0;
	isPlaying = false;
	speed = 1;
	loop = true;
	follow = false;
	path = true;
	contacts = true;
	/** Something is new, and not drawn yet. */
	isDirty = true;
	private list: Clip[] = [];

	constructor(clips: readonly ClipData[]) {
		this.clips = clips.map((data, index) => new Clip(data, index));
	}

	touch(): void {
		this.isDirty = true;
	}

	/** The clips that are shown, in the page's order. */
	get shown(): readonly Clip[] {
		return this.list;
	}

	/** Of the longest clip that is shown. */
	get duration(): number {
		let longest = 0;
		for (const clip of this.list) longest = Math.max(longest, clip.data.duration);
		return longest;
	}

	setTime(time: number): void {
		this.time = Math.min(Math.max(time, 0), this.duration);
		this.touch();
	}

	/** Show one clip alone from its start, or with `beside` add it to the others or take it away. Whether anything changed. */
	select(index: number, beside: boolean): boolean {
		const clip = this.clips[index];
		// The only clip that is shown cannot be taken away.
		if (beside && clip.isShown && this.list.length === 1) return false;
		clip.load();
		for (const other of this.clips) other.isShown = other === clip ? !beside || !clip.isShown : beside && other.isShown;
		this.list = this.clips.filter(other => other.isShown);
		this.main = clip.isShown ? clip : this.list[0];
		if (!beside) this.time = 0;
		// Those that go far are followed.
		this.follow = this.list.some(other => other.bounds.extent > 2.5 * other.data.stature);
		this.touch();
		return true;
	}

	/** Let time go on; whether it came to an end that is not a loop's. */
	advance(seconds: number): boolean {
		const { duration } = this;
		this.time += seconds * this.speed;
		this.touch();
		if (this.time <= duration) return false;
		const loops = this.loop && duration > 0;
		this.time = loops ? this.time % duration : duration;
		return !loops;
	}
}
