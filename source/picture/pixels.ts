/** A picture as its pixels: red, green and blue, a byte each, row after row. */
export type Pixels = {
	readonly width: number;
	readonly height: number;
	readonly data: Uint8Array;
};

export type PixelSize = {readonly width: number; readonly height: number};

/** The largest size of the same shape within a bound; never larger than the picture is. */
export function fitWithin({width, height}: PixelSize, bound: PixelSize): PixelSize {
	const share = Math.min(1, bound.width / width, bound.height / height);
	return {
		width: Math.max(1, Math.round(width * share)),
		height: Math.max(1, Math.round(height * share)),
	};
}

/** The picture in another size; each pixel is the mean of those that it stands for. */
export function scaled(pixels: Pixels, {width, height}: PixelSize): Pixels {
	if (width === pixels.width && height === pixels.height) return pixels;
	const data = new Uint8Array(width * height * 3);
	for (let y = 0; y < height; y++) {
		const top = Math.floor((y * pixels.height) / height);
		const bottom = Math.max(top + 1, Math.floor(((y + 1) * pixels.height) / height));
		for (let x = 0; x < width; x++) {
			const left = Math.floor((x * pixels.width) / width);
			const right = Math.max(left + 1, Math.floor(((x + 1) * pixels.width) / width));
			writeMean(pixels, {top, bottom, left, right}, data, (y * width + x) * 3);
		}
	}
	return {width, height, data};
}

function writeMean(
	pixels: Pixels,
	{top, bottom, left, right}: {top: number; bottom: number; left: number; right: number},
	into: Uint8Array,
	at: number,
): void {
	let red = 0;
	let green = 0;
	let blue = 0;
	for (let y = top; y < bottom; y++) {
		for (let x = left; x < right; x++) {
			const from = (y * pixels.width + x) * 3;
			red += pixels.data[from] ?? 0;
			green += pixels.data[from + 1] ?? 0;
			blue += pixels.data[from + 2] ?? 0;
		}
	}
	const count = (bottom - top) * (right - left);
	into[at] = Math.round(red / count);
	into[at + 1] = Math.round(green / count);
	into[at + 2] = Math.round(blue / count);
}
