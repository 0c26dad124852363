import {existsSync} from 'node:fs';
import {lerobotHome} from '../files/datasets-on-disk.ts';
import {shortPath} from '../files/places.ts';
import type {Uploader} from '../store/uploads/uploader.ts';
import type {Settings} from './settings.ts';

/** Sends datasets for the explorer; loaded with the first upload. */
export function explorerUploader(settings: Settings): Uploader {
	let sending: Promise<Pick<Uploader, 'check' | 'send'>> | undefined;
	const load = () => {
		sending ??= import('./explorer-sending.ts').then(({explorerSending}) => explorerSending(settings));
		return sending;
	};
	const home = lerobotHome();
	return {
		begin: `${shortPath(existsSync(home) ? home : process.cwd())}/`,
		ownLake: settings.hosted === undefined ? shortPath(settings.lakeFolder) : undefined,
		check: async (...given) => (await load()).check(...given),
		send: async (...given) => (await load()).send(...given),
	};
}
