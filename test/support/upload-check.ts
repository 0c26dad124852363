import type {UploadCheck} from '../../source/store/uploads/uploader.ts';

/** The check of a folder without faults. */
export const soundCheck: UploadCheck = {
	folder: '/data/cups',
	name: 'cups',
	files: 4,
	bytes: 4000,
	episodes: 2,
	frames: 40,
	newBytes: 4000,
	blobsAlone: undefined,
	refusal: undefined,
	losses: [],
	problems: [],
	problemCount: 0,
};
