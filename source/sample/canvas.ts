import type {PictureCounts} from '../lerobot/write-stats.ts';

/** A colour of the sample's pictures. No two have the same luma, so a picture's luma tells its colours. */
export type Paint = {
	readonly luma: number;
	readonly blueness: number;
	readonly redness: number;
	readonly rgb: readonly [red: number, green: number, blue: number];
};

/** The colours of a picture: those that every picture has, and what is mixed for its workspace. */
export class Palette {
	/** By their lumas. */
	readonly paints: (Paint | undefined)[];

	constructor(common?: Palette) {
		this.paints = common ? common.paints.slice() : new Array<Paint | undefined>(256).fill(undefined);
	}

	/** Mixes a colour as video has it (BT.601, 16 to 235), a shade lighter where another has its luma. */
	mix(red: number, green: number, blue: number): Paint {
		let luma = Math.round(16 + 0.256788 * red + 0.504129 * green + 0.097906 * blue);
		while (this.paints[luma]) luma++;
		const blueness = Math.round(128 - 0.148223 * red - 0.290993 * green + 0.439216 * blue);
		const redness = Math.round(128 + 0.439216 * red - 0.367788 * green - 0.071427 * blue);
		const light = 1.164384 * (luma - 16);
		const rgb = [
			light + 1.596027 * (redness - 128),
			light - 0.391762 * (blueness - 128) - 0.812968 * (redness - 128),
			light + 2.017232 * (blueness - 128),
		].map(value => Math.max(0, Math.min(255, Math.round(value)))) as [number, number, number];
		const mixed = {luma, blueness, redness, rgb};
		this.paints[luma] = mixed;
		return mixed;
	}
}

/** A picture that is drawn: planes of luma and, at half the size, of the two differences of colour (yuv420p). */
export class Canvas {
	readonly width: number;
	readonly height: number;
	/** The planes, one behind the other, as an encoder takes them. */
	readonly data: Uint8Array;
	readonly #pixels: number;

	constructor({width, height}: {width: number; height: number}) {
		this.width = width;
		this.height = height;
		this.#pixels = width * height;
		this.data = new Uint8Array((this.#pixels * 3) / 2);
	}

	/** The luma of every pixel, which tells its paint. */
	get luma(): Uint8Array {
		return this.data.subarray(0, this.#pixels);
	}

	/** @param corners of a convex shape: x and y by turns. */
	polygon(corners: readonly number[], of: Paint): void {
		this.#fill(corners, 0, 0, 0, 0, 0, 0, of);
	}

	disc(x: number, y: number, radius: number, of: Paint): void {
		this.#fill(noCorners, x, y, radius, x, y, radius, of);
	}

	/** A line with round ends, as thick at each as is asked for. */
	line(
		[x0, y0, r0]: readonly [x: number, y: number, radius: number],
		[x1, y1, r1]: readonly [number, number, number],
		of: Paint,
	): void {
		const length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2);
		const across = (y0 - y1) / length;
		const along = (x1 - x0) / length;
		sides[0] = x0 + across * r0;
		sides[1] = y0 + along * r0;
		sides[2] = x1 + across * r1;
		sides[3] = y1 + along * r1;
		sides[4] = x1 - across * r1;
		sides[5] = y1 - along * r1;
		sides[6] = x0 - across * r0;
		sides[7] = y0 - along * r0;
		this.#fill(length > 0.01 ? sides : noCorners, x0, y0, r0, x1, y1, r1, of);
	}

	/** Fills a polygon together with two discs, which are convex together; a disc without a radius is none. */
	#fill(
		corners: readonly number[],
		...[x0, y0, r0, x1, y1, r1, {luma, blueness, redness}]: [
			number,
			number,
			number,
			number,
			number,
			number,
			Paint,
		]
	): void {
		const {width, height, data} = this;
		const pixels = this.#pixels;
		fillRows(data, 0, width, height, 1, luma, corners, x0, y0, r0, x1, y1, r1);
		fillRows(data, pixels, width / 2, height / 2, 0.5, blueness, corners, x0, y0, r0, x1, y1, r1);
		fillRows(data, (pixels * 5) / 4, width / 2, height / 2, 0.5, redness, corners, x0, y0, r0, x1, y1, r1);
	}
}

const noCorners: readonly number[] = [];
/** The sides of a line while it is drawn. */
const sides: number[] = [0, 0, 0, 0, 0, 0, 0, 0];

/**
 * Fills a convex shape in a plane, row by row: the pixels whose middle lies in a polygon, in one of two discs, or
 * between them. It is called a few million times for a sample, so it makes no objects.
 *
 * @param scale of the plane's pixels to the picture's.
 */
function fillRows(
	plane: Uint8Array,
	start: number,
	width: number,
	height: number,
	scale: number,
	value: number,
	corners: readonly number[],
	x0: number,
	y0: number,
	r0: number,
	x1: number,
	y1: number,
	r1: number,
): void {
	let top = Math.min(y0 - r0, y1 - r1);
	let bottom = Math.max(y0 + r0, y1 + r1);
	if (r0 === 0) {
		top = Number.POSITIVE_INFINITY;
		bottom = Number.NEGATIVE_INFINITY;
		for (let at = 1; at < corners.length; at += 2) {
			top = Math.min(top, corners[at] as number);
			bottom = Math.max(bottom, corners[at] as number);
		}
	}
	const last = Math.min(height - 1, Math.floor(bottom * scale - 0.5));
	for (let row = Math.max(0, Math.ceil(top * scale - 0.5)); row <= last; row++) {
		const middle = (row + 0.5) / scale;
		let left = Number.POSITIVE_INFINITY;
		let right = Number.NEGATIVE_INFINITY;
		const first = r0 * r0 - (middle - y0) * (middle - y0);
		if (first > 0) {
			const half = Math.sqrt(first);
			left = x0 - half;
			right = x0 + half;
		}
		const second = r1 * r1 - (middle - y1) * (middle - y1);
		if (second > 0) {
			const half = Math.sqrt(second);
			if (x1 - half < left) left = x1 - half;
			if (x1 + half > right) right = x1 + half;
		}
		let before = corners.length - 2;
		for (let at = 0; at < corners.length; at += 2) {
			const fromY = corners[before + 1] as number;
			const toY = corners[at + 1] as number;
			if (fromY <= middle !== toY <= middle) {
				const fromX = corners[before] as number;
				const x = fromX + ((middle - fromY) / (toY - fromY)) * ((corners[at] as number) - fromX);
				if (x < left) left = x;
				if (x > right) right = x;
			}
			before = at;
		}
		const end = start + row * width + Math.min(width - 1, Math.floor(right * scale - 0.5));
		for (let at = start + row * width + Math.max(0, Math.ceil(left * scale - 0.5)); at <= end; at++) {
			plane[at] = value;
		}
	}
}

/** How often each paint occurs in pictures. */
export class PaintCounter {
	readonly #counts = new Uint32Array(256);
	pictures = 0;

	/** @param times how often the picture occurs. */
	add(canvas: Canvas, times: number): void {
		const {luma} = canvas;
		for (let pixel = 0; pixel < luma.length; pixel++) {
			const value = luma[pixel] as number;
			this.#counts[value] = (this.#counts[value] as number) + times;
		}
		this.pictures += times;
	}

	/** The same for each value of red, green and blue. */
	counts({paints}: Palette): PictureCounts {
		return [0, 1, 2].map(channel => {
			const counts = new Float64Array(256);
			for (const [luma, count] of this.#counts.entries()) {
				const value = paints[luma]?.rgb[channel];
				if (value !== undefined) counts[value] = (counts[value] as number) + count;
			}
			return counts;
		});
	}
}

/** The colours of a picture and, for each pixel, which it has: as PNG keeps few colours. */
export function indexed(
	canvas: Canvas,
	{paints}: Palette,
): {
	readonly palette: readonly Paint['rgb'][];
	readonly data: Uint8Array;
} {
	const places = new Uint8Array(256);
	const palette: Paint['rgb'][] = [];
	for (const [luma, mixed] of paints.entries()) {
		if (!mixed) continue;
		places[luma] = palette.length;
		palette.push(mixed.rgb);
	}
	return {palette, data: canvas.luma.map(luma => places[luma] as number)};
}
