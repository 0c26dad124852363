import type {Client} from '../../client/client.ts';
import type {EpisodeFrame} from '../../contract/local-frames.ts';
import type {Pixels} from '../../picture/pixels.ts';
import {decoded} from './picture-work.ts';

/** A picture of an episode, as far as it is there. */
export type Picture = {
	/** The camera, or what else it is of. */
	readonly of: string;
	readonly which: 'first' | 'last' | 'thumbnail';
	/** Where it was taken from. */
	readonly source?: string | undefined;
	readonly pixels?: Pixels | undefined;
	/** Why there is none; without it and without pixels it is being read. */
	readonly problem?: string | undefined;
};

/** Why there are none where a service has neither frames nor a thumbnail. */
export const noPictures = 'The service names no picture of it, and has no frames of its own.';

/** What a service's frame shows, or why it shows nothing. @throws PictureError for what is no picture */
export async function pictureOfFrame(
	{png, problem, source}: EpisodeFrame,
	signal: AbortSignal,
): Promise<Pick<Picture, 'pixels' | 'problem' | 'source'>> {
	if (png === null) return {problem: problem ?? 'there is none', source: source ?? undefined};
	return {pixels: await decoded(Buffer.from(png, 'base64'), signal), source: source ?? undefined};
}

/** What lies at the address that a service names as an episode's thumbnail. @throws with the reason */
export async function pictureAt(
	client: Pick<Client, 'picture'>,
	address: string,
	signal: AbortSignal,
): Promise<Pick<Picture, 'pixels'>> {
	return {pixels: await decoded(await client.picture(address, {signal}), signal)};
}
