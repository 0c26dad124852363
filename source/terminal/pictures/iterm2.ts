import type {SentPicture} from './picture-layer.ts';
import type {Extent} from './way.ts';

/** iTerm2's inline picture: a file in base64, scaled by the terminal to its cells, gone once they are written. */
export function iterm2Picture(base64: string, {width, height}: Extent): SentPicture {
	const padding = /=*$/.exec(base64)?.[0].length ?? 0;
	const size = (base64.length / 4) * 3 - padding;
	const place = `width=${width};height=${height};preserveAspectRatio=0`;
	return {
		width,
		height,
		draw: `\u001b]1337;File=inline=1;size=${size};${place}:${base64}\u0007`,
		data: [],
		cancel: '',
		remove: '',
		scrolls: true,
	};
}
