import type {StoreApi} from 'zustand/vanilla';
import type {LocalKnowledge} from '../queries/local-document.ts';
import type {Notice} from '../state/notices.ts';
import type {WorkList} from '../state/work.ts';
import type {UploadCheck, Uploader} from './uploader.ts';

type OwnUploadsOptions = {
	readonly uploader: Uploader | undefined;
	readonly local: StoreApi<LocalKnowledge>;
	readonly work: WorkList;
	readonly notify: (kind: Notice['kind'], text: string) => void;
	/** Called when one has begun or ended. */
	readonly changed: () => void;
};

/** Uploads that the explorer itself sends. */
export class OwnUploads {
	readonly uploader: Uploader | undefined;
	readonly #options: OwnUploadsOptions;
	readonly #folders = new Set<string>();

	constructor(options: OwnUploadsOptions) {
		this.uploader = options.uploader;
		this.#options = options;
	}

	/** The person's own lake, where what is sent goes there and the sample is shown instead; as a path. */
	get unseenLake(): string | undefined {
		const {uploader, local} = this.#options;
		return local.getState().document?.lake.sample ? uploader?.ownLake : undefined;
	}

	/** Sends a folder that was checked; what was sent before is not sent again. */
	async start(check: UploadCheck): Promise<void> {
		const {uploader, work, notify, changed} = this.#options;
		const {folder, name} = check;
		if (uploader === undefined) return;
		if (this.#folders.has(folder)) {
			notify('warning', `${name} is being sent already.`);
			return;
		}
		this.#folders.add(folder);
		const calledOff = new AbortController();
		const loss = 'What was sent is kept: sending the same folder again resumes from there.';
		const report = work.begin({subject: name, loss}, () => calledOff.abort());
		try {
			const sentence = await uploader.send(check, {
				notify: progress => report.notify(progress),
				say: text => notify('info', text),
				signal: calledOff.signal,
			});
			const lake = this.unseenLake;
			notify('info', lake === undefined ? sentence : `${sentence} ${seenInOwnLake(lake)}`);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			if (calledOff.signal.aborted) notify('info', `${name}: cancelled. ${loss}`);
			else notify('error', `${name}: ${reason}`);
		} finally {
			this.#folders.delete(folder);
			report.end();
			changed();
		}
	}
}

/** Where an upload will go, to who looks at the sample. */
export function intoOwnLake(lake: string): string {
	return `It goes into your own lake, ${lake}, not into the sample.`;
}

/** Where an upload is, to who looks at the sample. */
function seenInOwnLake(lake: string): string {
	return `That is your own lake, not the sample: see it with lakescope --lake ${lake}`;
}
