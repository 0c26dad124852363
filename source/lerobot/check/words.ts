/** Numbers of episodes as a sentence has them: `episode 3`, `episodes 0–4, 7`. */
export function episodesText(episodes: readonly number[]): string {
	const spans: string[] = [];
	for (let at = 0; at < episodes.length; ) {
		let end = at;
		while (episodes[end + 1] === (episodes[end] as number) + 1) end++;
		spans.push(end === at ? `${episodes[at]}` : `${episodes[at]}–${episodes[end]}`);
		at = end + 1;
	}
	const shown = spans.slice(0, 6).join(', ');
	const more = spans.length > 6 ? ' and more' : '';
	return `${episodes.length === 1 ? 'episode' : 'episodes'} ${shown}${more}`;
}

/** The same at the beginning of a sentence. */
export const EpisodesText = (episodes: readonly number[]) => episodesText(episodes).replace(/^e/, 'E');

export const frameCount = (frames: number) => (frames === 1 ? '1 frame' : `${frames} frames`);

/** A number as people read it: six digits that mean something. */
export const figure = (value: number) => `${Number(value.toPrecision(6))}`;
