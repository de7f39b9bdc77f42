/// The basic shapes of SVG as path data.
#pragma once

#include "file/svg_transform.h"

/// The value of an attribute, NULL where it is not given. attributes: names and values in turn, ended by NULL.
const char* rpFindSvgAttribute(const char* const* attributes, const char* name);

/// A <line>, <rect>, <circle> or <ellipse> as path data for a shape of size 1, and inside *map how that becomes this
/// one. *data is NULL, without failing, for another element and for a shape without size, which is not drawn. False,
/// and an error without place, for lengths that cannot be read.
RP_NODISCARD bool rpGetSvgShape(const char* element, const char* const* attributes, const char** data, rpAffine* map,
								rpError* error);
