// A part of the page that has a stage of its own: the driver of models, the viewer of clips. page.ts runs one clock for
// all, advances those that are on screen, and hands keys to the one that was used last.

export interface Part {
	/** Its <main> or <section>. */
	readonly element: HTMLElement;

	/** Time went on by some seconds (0 to 0.1): advance what plays, and draw if anything is new. */
	advance(seconds: number): void;

	/** A key went down or up, none of Ctrl, Alt and Meta with it. Whether it meant something, so that the page does not scroll. */
	onKey(event: KeyboardEvent, isDown: boolean): boolean;

	/** Keys go elsewhere from now on: those that are down count as released. */
	onBlur(): void;

	/** The page is light now, or dark. */
	onColors(): void;
}
