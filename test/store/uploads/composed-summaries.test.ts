import {expect, test} from 'vitest';
import type {Answer} from '../../../source/client/answer.ts';
import type {ComposeRecord, ComposeSummary} from '../../../source/contract/local-compose.ts';
import {videoWords} from '../../../source/store/export/compose-selection.ts';
import {ComposedSummaries} from '../../../source/store/uploads/composed-summaries.ts';
import {byteSize, counted} from '../../../source/terminal/quantity.ts';

const operationId = '00000000-0000-4000-8000-000000000001';
const folder = `/lake/composed/${operationId}/best`;

const summary: ComposeSummary = {
	episodes: 90,
	frames: 900,
	videos: 3,
	videos_absent: 0,
	videos_cut: 2,
	video_bytes: 5 * 1024 * 1024,
	video_bytes_linked: 1024 * 1024,
	videos_note: null,
};

test('what a composition made is asked for once it is there and looked at, and of nothing else', async () => {
	let asked = 0;
	let changes = 0;
	let isAway = true;
	const composed = new ComposedSummaries(
		{
			async composition() {
				asked++;
				if (isAway) throw new Error('away');
				return {data: {summary}, setAside: []} as unknown as Answer<ComposeRecord>;
			},
		},
		() => changes++,
	);
	await composed.look({operationId, phase: 'preparing', folder});
	await composed.look({operationId, phase: 'finalized', folder: '/home/somebody/recordings'});
	await composed.look({operationId: undefined, phase: 'finalized', folder});
	expect(asked).toBe(0);
	await composed.look({operationId, phase: 'finalized', folder});
	expect([composed.of(operationId), changes]).toEqual([undefined, 0]);
	isAway = false;
	await composed.look({operationId, phase: 'finalized', folder});
	await composed.look({operationId, phase: 'finalized', folder});
	expect([composed.of(operationId), asked, changes]).toEqual([summary, 2, 1]);
});

test('how many bytes the videos take is said, and what of it is shared', () => {
	const written = {counted, byteSize};
	expect(videoWords(summary, written)).toBe(
		'3 video files, 2 of them cut to the chosen episodes: 5.0 MiB, 1.0 MiB of that shared with the parents',
	);
	expect(videoWords({...summary, videos: 1, videos_cut: 0, video_bytes_linked: 0}, written)).toBe(
		'1 video file: 5.0 MiB',
	);
	expect(videoWords({...summary, videos: 2, video_bytes_linked: 0}, written)).toBe(
		'2 video files, cut to the chosen episodes: 5.0 MiB',
	);
	expect(videoWords({...summary, videos: 0}, written)).toBeUndefined();
});
