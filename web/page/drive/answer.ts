// How long a character takes to do what it was told, measured from what is seen: the seconds from a change of the wanted velocity
// until half of the change is done. Velocities are those of the root over the last fifth of a second, so that all models, and all
// ways to play them, are measured alike.
import { lengthOf } from "../length.js";
import { RATE, TICK, type Asked, type Tape } from "./tape.js";

const WINDOW = 0.2 * RATE;
/** Changes below this, m/s, drown in the sway of steps; and directions turn less than this from tick to tick when they are held. */
const LEAST = 0.35;
/** m/s of somebody who was told a direction and no speed, before it has gone anywhere. */
const USUAL = 1.2;
/** What is not answered by then is no answer, seconds. */
const PATIENCE = 4;

export class AnswerMeter {
	/** Seconds of the last answer, their sum and number; not a number before the first. */
	last = NaN;
	sum = 0;
	count = 0;
	/** Seconds since what is not answered yet was asked; not a number if there is nothing. */
	waiting = NaN;
	private readonly wanted = [0, 0];
	private readonly target = [0, 0];
	private readonly before = [0, 0];
	private readonly now = [0, 0];
	private asked = -1;
	private pace = USUAL;

	clear(): void {
		this.last = this.waiting = NaN;
		this.sum = this.count = 0;
		this.asked = -1;
		this.pace = USUAL;
		this.wanted[0] = this.wanted[1] = 0;
	}

	/** A tick was recorded. */
	see(tape: Tape, asked: Asked): void {
		const tick = tape.count - 1;
		this.measure(tape, tick);
		this.followPace();
		const speed = asked.speed > 0 ? asked.speed : this.pace, long = lengthOf(asked.stickX, asked.stickZ);
		const wx = long > 0.1 ? speed * asked.stickX / long : 0, wz = long > 0.1 ? speed * asked.stickZ / long : 0;
		// Turns without a direction have no velocity to wait for.
		if (asked.turn === 0 && lengthOf(wx - this.wanted[0], wz - this.wanted[1]) > LEAST) this.begin(tick, wx, wz);
		if (this.asked >= 0) this.wait(tick);
	}

	private measure(tape: Tape, tick: number): void {
		const from = Math.max(tick - WINDOW, tape.first), a = 3 * tape.slot(from), b = 3 * tape.slot(tick), seconds = Math.max((tick - from) * TICK, TICK);
		this.now[0] = (tape.ground[b] - tape.ground[a]) / seconds;
		this.now[1] = (tape.ground[b + 1] - tape.ground[a + 1]) / seconds;
	}

	private followPace(): void {
		const speed = lengthOf(this.now[0], this.now[1]);
		if (speed > 0.4) this.pace += 0.01 * (speed - this.pace);
	}

	private begin(tick: number, wx: number, wz: number): void {
		this.asked = tick;
		this.wanted[0] = this.target[0] = wx;
		this.wanted[1] = this.target[1] = wz;
		this.before[0] = this.now[0];
		this.before[1] = this.now[1];
		if (this.far(this.before) < LEAST) this.asked = -1;
	}

	private far(v: readonly number[]): number {
		return lengthOf(v[0] - this.target[0], v[1] - this.target[1]);
	}

	private wait(tick: number): void {
		this.waiting = (tick - this.asked) * TICK;
		if (this.far(this.now) <= 0.5 * this.far(this.before)) {
			this.last = this.waiting;
			this.sum += this.last;
			++this.count;
			this.asked = -1;
		} else if (this.waiting > PATIENCE) this.asked = -1;
		if (this.asked < 0) this.waiting = NaN;
	}
}
