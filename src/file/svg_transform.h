/// Transforms of SVG: affine maps of the plane, and the text of a "transform" attribute as one.
#pragma once

#include "reprise/play/base.h"

/// x' = a x + c y + e and y' = b x + d y + f, as SVG's matrix(a b c d e f).
typedef struct rpAffine
{
	double a, b, c, d, e, f;
} rpAffine;

/// The map that applies inner first, then outer.
rpAffine rpAffine_Multiply(rpAffine outer, rpAffine inner);

/// The max factor by which the map stretches any distance (its greater singular value).
double rpAffine_GetStretch(rpAffine map);

/// Read the functions of a transform (matrix, translate, scale, rotate, skewX, skewY; SVG 1.1 section 7.6, SVG 2
/// section 8.5) or "none", and put them inside *map, which holds those of the elements around. False, and an error with
/// the column in the text, for what is no transform, and where *map would no longer be finite or could not be undone.
RP_NODISCARD bool rpParseTransform(const char* text, rpAffine* map, rpError* error);
