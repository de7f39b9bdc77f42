// Shaders of the stage. Colours leave them multiplied by their opacity, as the page composes them.

// The eye, one block for all (gl_stage.ts fills it): its axes and place; pixels a metre at a distance of one metre, in clip
// units; the nearest that is drawn; the canvas's half size in CSS pixels; the floor's height.
const EYE = `#version 300 es
precision highp float;
layout(std140) uniform Eye {
	vec4 eyeRight;
	vec4 eyeUp;
	vec4 eyeBack;
	vec4 eyeAt;
	vec4 lens; // x and y scale, focal length in CSS pixels, nearest
	vec4 window; // half its width and height, height of the floor
};
vec3 toEye(vec3 p) {
	vec3 d = p - eyeAt.xyz;
	return vec3(dot(d, eyeRight.xyz), dot(d, eyeUp.xyz), -dot(d, eyeBack.xyz));
}
// There is no farthest: the depth of what is infinitely far is 1.
vec4 toClip(vec3 v) { return vec4(v.x * lens.x, v.y * lens.y, v.z - 2.0 * lens.w, v.z); }
// As seen from the eye, but with the depth of what is farther away.
vec4 setBack(vec3 v, float behind) {
	vec4 clip = toClip(v);
	clip.z = v.z - 2.0 * lens.w * v.z / max(v.z + behind, 1e-4);
	return clip;
}
vec2 toPixels(vec3 v) { return v.xy * lens.z / v.z; }
vec4 fromPixels(vec2 p) { return vec4(p / window.xy, 0.0, 1.0); }
`;

// A pill is the hull of two discs: half a circle at either end. Larger at one end, it takes more than half a circle there.
const PILL = `
layout(location = 0) in vec3 shape; // cosine, sine of half a circle; which end
layout(location = 1) in vec4 from;
layout(location = 2) in vec4 to;
// Away from the middle of the end, along the axis and across it.
vec2 turnPill(float ra, float rb, float length_) {
	float quarter = 1.5707963, tilt = length_ > 1e-6 ? asin(clamp((ra - rb) / length_, -1.0, 1.0)) : 0.0;
	float angle = atan(shape.y, shape.x) * (shape.z < 0.5 ? quarter + tilt : quarter - tilt) / quarter;
	return vec2(shape.z < 0.5 ? -cos(angle) : cos(angle), sin(angle));
}
`;

const PLAIN_FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 tint;
out vec4 color;
void main() { color = tint; }
`;

// A piece is the hull of two balls. Its mesh is meridians over two half balls, which meet where the hull's straight side
// touches both; it is turned so that meridians lie on the outline. A piece may count as some metres farther away.
export const BODY_VERTEX = EYE + `
layout(location = 0) in vec4 shape; // cosine, sine of the meridian; 0 to 1 along its half; which ball
layout(location = 1) in vec4 from;
layout(location = 2) in vec4 to;
layout(location = 3) in vec4 tint;
layout(location = 4) in float behind;
out vec3 normal;
out vec4 paint;
const float QUARTER = 1.5707963;
void main() {
	vec3 a = toEye(from.xyz), b = toEye(to.xyz), axis = b - a;
	float length_ = length(axis);
	axis = length_ > 1e-6 ? axis / length_ : vec3(0.0, 1.0, 0.0);
	vec3 side = cross(axis, a + b);
	side = dot(side, side) > 1e-10 ? normalize(side) : normalize(cross(axis, abs(axis.x) < 0.8 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
	vec3 front = cross(side, axis);
	float tilt = length_ > 1e-6 ? asin(clamp((from.w - to.w) / length_, -1.0, 1.0)) : 0.0;
	float angle = shape.w < 0.5 ? mix(-QUARTER, tilt, shape.z) : mix(tilt, QUARTER, shape.z);
	normal = sin(angle) * axis + cos(angle) * (shape.x * side + shape.y * front);
	paint = tint;
	gl_Position = setBack(shape.w < 0.5 ? a + from.w * normal : b + to.w * normal, behind);
}
`;

// Light falls from the upper left, a little from the eye.
export const BODY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 normal;
in vec4 paint;
uniform vec4 edge;
uniform vec2 shares; // how far to white in the light, and to the edge's colour in the dark
out vec4 color;
const vec3 LIGHT = vec3(-0.54, 0.8, -0.25);
void main() {
	float dark = clamp(0.5 - 0.7 * dot(normalize(normal), LIGHT), 0.0, 1.0);
	vec3 tone = dark < 0.45 ? mix(paint.rgb, vec3(1.0), shares.x * (1.0 - dark / 0.45)) : mix(paint.rgb, edge.rgb, shares.y * (dark - 0.45) / 0.55);
	color = vec4(tone, 1.0) * paint.a;
}
`;

// A piece's outline: a flat piece in its middle that faces the eye, larger by some pixels; so much of it is seen as looks out
// behind the body. It lies back a little, so that limbs which meet are one.
export const OUTLINE_VERTEX = EYE + PILL + `
layout(location = 3) in vec4 paint;
layout(location = 4) in float behind;
uniform vec4 edge; // and how far to it
flat out vec4 tint;
void main() {
	vec3 a = toEye(from.xyz), b = toEye(to.xyz), ray = normalize(a + b), axis = b - a;
	axis -= dot(axis, ray) * ray;
	float length_ = length(axis), pixel = max(0.5 * (a.z + b.z), lens.w) / lens.z;
	axis = length_ > 1e-5 ? axis / length_ : normalize(cross(ray, vec3(0.3, 1.0, 0.0)));
	// As wide as a pen's stroke is outside: a twentieth of the radius, half a pixel to 1.2.
	float grown = pixel * clamp(0.05 * max(from.w, to.w) / pixel, 0.5, 1.2);
	vec2 away = turnPill(from.w, to.w, length_);
	vec3 at = shape.z < 0.5 ? a : b;
	float radius = shape.z < 0.5 ? from.w : to.w;
	tint = vec4(mix(paint.rgb, edge.rgb, edge.a), 1.0) * paint.a;
	gl_Position = setBack(at + (radius + grown) * (away.x * axis + away.y * cross(axis, ray)), behind + 0.6 * radius);
}
`;
export const OUTLINE_FRAGMENT = PLAIN_FRAGMENT;

// A piece's shadow: its balls flattened on the floor, away from the light, and what lies between them.
export const SHADOW_VERTEX = EYE + PILL + `
layout(location = 3) in vec4 paint;
uniform vec4 shadow;
flat out vec4 tint;
vec2 fall(vec3 p) { return p.xz + max(p.y - window.z, 0.0) * vec2(0.16, -0.12); }
void main() {
	vec2 a = fall(from.xyz), b = fall(to.xyz), axis = b - a;
	float length_ = length(axis);
	axis = length_ > 1e-6 ? axis / length_ : vec2(1.0, 0.0);
	vec2 away = turnPill(from.w, to.w, length_);
	away = away.x * axis + away.y * vec2(-axis.y, axis.x);
	vec2 at = shape.z < 0.5 ? a + from.w * away : b + to.w * away;
	tint = vec4(shadow.rgb, 1.0) * shadow.a * paint.a;
	gl_Position = toClip(toEye(vec3(at.x, window.z, at.y)));
}
`;
export const SHADOW_FRAGMENT = PLAIN_FRAGMENT;

// A segment of a line with round ends, as wide everywhere, cut where it passes behind the eye.
export const LINE_VERTEX = EYE + `
layout(location = 0) in vec3 shape;
layout(location = 1) in vec4 from; // and how far along the line
layout(location = 2) in vec4 to;
uniform vec4 paint;
uniform float radius;
out float along;
flat out vec4 tint;
void main() {
	vec3 a = toEye(from.xyz), b = toEye(to.xyz);
	float near = lens.w, u = 0.0, v = 1.0;
	if (a.z < near && b.z < near) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
	if (a.z < near) u = (near - a.z) / (b.z - a.z);
	if (b.z < near) v = (near - a.z) / (b.z - a.z);
	vec2 p = toPixels(mix(a, b, u)), q = toPixels(mix(a, b, v)), axis = q - p;
	axis = dot(axis, axis) > 1e-8 ? normalize(axis) : vec2(1.0, 0.0);
	vec2 away = (shape.z < 0.5 ? -axis : axis) * shape.x + vec2(-axis.y, axis.x) * shape.y;
	along = mix(from.w, to.w, shape.z < 0.5 ? u : v);
	tint = vec4(paint.rgb, 1.0) * paint.a;
	gl_Position = fromPixels((shape.z < 0.5 ? p : q) + radius * away);
}
`;
export const LINE_FRAGMENT = `#version 300 es
precision highp float;
in float along;
flat in vec4 tint;
uniform float dash; // metres from dash to dash, 0 for none
out vec4 color;
void main() {
	if (dash > 0.0 && fract(along / dash) > 0.58) discard;
	color = tint;
}
`;

// A disc or a ring: its outer circle, and the inner one or its middle.
export const MARK_VERTEX = EYE + `
layout(location = 0) in vec3 shape; // cosine, sine; 0 inside, 1 outside
layout(location = 1) in vec4 place; // and the radius
layout(location = 2) in vec4 paint;
layout(location = 3) in float width; // pixels, 0 for a disc
flat out vec4 tint;
void main() {
	vec3 middle = toEye(place.xyz);
	tint = vec4(paint.rgb, 1.0) * paint.a;
	if (middle.z - place.w < lens.w) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
	vec2 around = vec2(-shape.y, shape.x);
	vec2 p = toPixels(toEye(place.xyz + place.w * vec3(shape.x, 0.0, shape.y)));
	vec2 q = toPixels(toEye(place.xyz + place.w * vec3(shape.x + 0.01 * around.x, 0.0, shape.y + 0.01 * around.y)));
	vec2 axis = q - p, out_ = dot(axis, axis) > 1e-12 ? normalize(vec2(-axis.y, axis.x)) : vec2(0.0);
	out_ *= dot(out_, p - toPixels(middle)) < 0.0 ? -1.0 : 1.0;
	if (width > 0.0) p += (shape.z - 0.5) * width * out_;
	else if (shape.z < 0.5) p = toPixels(middle);
	gl_Position = fromPixels(p);
}
`;
export const MARK_FRAGMENT = PLAIN_FRAGMENT;

// The floor's squares: lines a pixel wide, paler with distance, the next larger squares coming in under them.
export const GRID_VERTEX = EYE + `
layout(location = 0) in vec2 corner;
uniform vec4 centre; // x, z of a crossing of the larger squares; what is looked at, from there
uniform vec4 reach; // of both; metres of a cell; how much of the larger squares is seen
out vec2 at;
void main() {
	at = centre.zw + corner * max(reach.x, reach.y);
	gl_Position = toClip(toEye(vec3(centre.x + at.x, window.z, centre.y + at.y)));
}
`;
export const GRID_FRAGMENT = `#version 300 es
precision highp float;
in vec2 at;
uniform vec4 centre;
uniform vec4 reach;
uniform vec4 paint;
uniform float pixel; // device pixels of a CSS pixel
out vec4 color;
float drawLines(float cell) {
	vec2 u = at / cell, step_ = max(vec2(length(vec2(dFdx(u.x), dFdy(u.x))), length(vec2(dFdx(u.y), dFdy(u.y)))), 1e-6), far = abs(fract(u - 0.5) - 0.5) / step_;
	// A line as wide as a pixel covers what is left of it; where lines crowd, they pale instead of flickering.
	vec2 cover = clamp(0.5 * pixel + 0.5 - far, 0.0, 1.0) * clamp(0.55 / step_ * 0.5, 0.0, 1.0);
	return max(cover.x, cover.y);
}
float fade(float way, float far) { return clamp(1.05 * (1.0 - way / far), 0.0, 1.0); }
void main() {
	float way = length(at - centre.zw);
	float small = drawLines(reach.z) * fade(way, reach.x) * (1.0 - reach.w), large = drawLines(10.0 * reach.z) * fade(way, reach.y) * reach.w;
	color = paint * max(small, large);
}
`;
