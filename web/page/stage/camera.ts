// Where a scene is seen from: an eye that turns about a target.

export interface Camera {
	/** Radians; at yaw 0 and pitch 0 the eye is on the +z side of the target. */
	yaw: number;
	pitch: number;
	/** Metres from the target. */
	distance: number;
	/** x, y, z. */
	target: [number, number, number];
	/** CSS pixels of the canvas. */
	width: number;
	height: number;
}
