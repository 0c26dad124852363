import {parentPort} from 'node:worker_threads';
import {cardBlocks} from './card-blocks.ts';
import {PictureError} from './decode.ts';
import {decodeWithin, encodeWithin, type PictureTask} from './picture-tasks.ts';
import type {PictureAnswer} from './picture-thread.ts';

/** The thread that decodes, scales and encodes pictures and reads cards, one after the other. */

async function answerTo(task: PictureTask): Promise<PictureAnswer> {
	try {
		if (task.is === 'card') return {is: 'card', blocks: await cardBlocks(task.markdown)};
		if (task.is === 'decode') return {is: 'pixels', pixels: await decodeWithin(task)};
		return {is: 'text', text: await encodeWithin(task.pixels, task.wanted)};
	} catch (error) {
		if (error instanceof PictureError) return {is: 'refused', message: error.message};
		throw error;
	}
}

parentPort?.on('message', async (task: PictureTask) => {
	const answer = await answerTo(task);
	const given = answer.is === 'pixels' ? [answer.pixels.data.buffer as ArrayBuffer] : [];
	parentPort?.postMessage(answer, given);
});
