/** A feature of `info.json`, which may be one that is not checked yet. */
type Feature = Readonly<Record<string, unknown>>;

/** The details that a feature states of its encoder and kind, in `info` or, before LeRobot 0.3, in `video_info`. */
function detailsOf(feature: Feature | undefined): Readonly<Record<string, unknown>> {
	return {...(feature?.video_info as object | undefined), ...(feature?.info as object | undefined)};
}

/** True for a depth camera, in any of the ways that LeRobot marks one. */
export function isDepthMap(feature: Feature | undefined): boolean {
	const details = detailsOf(feature);
	return details.is_depth_map === true || details['video.is_depth_map'] === true;
}

/** The unit of the distances of a depth camera's pictures in data files; undefined if the dataset says none. */
export function depthUnit(feature: Feature | undefined): string | undefined {
	const unit = detailsOf(feature).depth_unit;
	return typeof unit === 'string' && unit.length <= 16 ? unit : undefined;
}

/** The greatest code of a pixel in a depth video, which has 12 bits. */
const greatestCode = 4095;

/**
 * The distance in metres that a code of a depth video stands for: LeRobot spreads the codes between two distances, by the
 * logarithm unless `video.use_log` is false. Code 0 is the nearest distance or none, and counts as none.
 */
export function depthOfCode(feature: Feature | undefined): (code: number) => number {
	const details = detailsOf(feature);
	const setting = (name: string, otherwise: number) => {
		const value = details[`video.${name}`];
		return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
	};
	const [least, most, shift] = [setting('depth_min', 0.01), setting('depth_max', 10), setting('shift', 3.5)];
	const isLog = details['video.use_log'] !== false && least + shift > 0 && most > least;
	const [low, high] = isLog ? [Math.log(least + shift), Math.log(most + shift)] : [least, most];
	return code => {
		if (code <= 0) return 0;
		const place = low + (Math.min(code, greatestCode) / greatestCode) * (high - low);
		return isLog ? Math.exp(place) - shift : place;
	};
}
