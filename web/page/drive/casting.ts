// Who can drive beside the first: other models of the page, and the same one played in another way.
import type { Model } from "./model.js";
import type { Cast, Variant } from "./session.js";
import { PLAIN } from "./session.js";

export interface Offer {
	title: string;
	rival: Cast["rival"];
}

/** Ways to play a model that can be seen beside the usual one. */
function listVariants(isLocomotion: boolean, leans: boolean): Variant[] {
	const variants: Variant[] = [
		{ name: "looks 0.3 s ahead", options: { lookAhead: 0.3 }, layers: [], without: false },
		{ name: "feet not held", options: { lockFeet: false }, layers: [], without: false },
	];
	if (isLocomotion) variants.push({ name: "no bending", options: { maxBend: 0 }, layers: [], without: false });
	variants.push(leans ? { name: "no layers", options: {}, layers: [], without: true } : { name: "leans into turns", options: {}, layers: ["lean"], without: false });
	return variants;
}

export function listOffers(models: readonly Model[], model: Model, isLocomotion: boolean, leans: boolean): Offer[] {
	const others = models.filter(other => other !== model).map(other => ({ title: other.name, rival: { model: other, variant: { ...PLAIN } } }));
	const same = listVariants(isLocomotion, leans).map(variant => ({ title: `the same, ${variant.name}`, rival: { model, variant } }));
	return [{ title: "nobody", rival: null }, ...others, ...same];
}
