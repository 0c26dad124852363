import type {QueryClient} from '@tanstack/query-core';
import type {Client} from '../client/client.ts';
import type {Catalog} from './artifacts/catalog.ts';
import type {ExplorerState} from './explorer-state.ts';
import {Exporter} from './export/exporter.ts';
import {FinetuneController} from './finetune/finetune-controller.ts';
import type {LocalWatch} from './queries/local-document.ts';
import type {Holding} from './selection/holding.ts';
import type {Selection} from './selection/selection.ts';
import type {Notify} from './state/notices.ts';
import {Outbox} from './state/outbox.ts';
import type {Remembered} from './state/remembered.ts';
import {WorkList} from './state/work.ts';
import {OwnUploads} from './uploads/own-uploads.ts';
import type {Uploader} from './uploads/uploader.ts';

type OutgoingOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly local: LocalWatch;
	readonly catalog: Catalog;
	readonly remembered: Remembered;
	readonly uploader: Uploader | undefined;
	readonly selection: () => Selection;
	readonly holding: (signal: AbortSignal) => Promise<Holding>;
	readonly mayChange: () => boolean;
	readonly update: (change: (state: ExplorerState) => ExplorerState) => void;
	readonly notify: Notify;
	/** Called when something was sent that changes the service's data. */
	readonly changed: () => void;
	/** Aborts when the explorer stops. */
	readonly signal: AbortSignal;
};

/** Everything that leaves this program: uploads, fine-tunes, exports, and their progress. */
export class Outgoing {
	readonly work = new WorkList();
	readonly sending: OwnUploads;
	readonly exports: Exporter;
	readonly outbox: Outbox;
	readonly finetune: FinetuneController;

	constructor(options: OutgoingOptions) {
		const {client, local, catalog, remembered, uploader, notify, changed, signal} = options;
		const {datasets, projects} = catalog;
		this.sending = new OwnUploads({uploader, local: local.known, work: this.work, notify, changed});
		this.exports = new Exporter({client, work: this.work, notify});
		this.outbox = new Outbox({remembered, signal});
		this.finetune = new FinetuneController({
			client,
			remembered,
			outbox: this.outbox,
			recalled: () => remembered.recall(options.queries),
			selection: options.selection,
			holding: options.holding,
			can: (ability, asking) => local.can(ability, asking),
			findDataset: (id, asking) => datasets.listing.find(id, asking),
			projectName: id => projects.known.getState().names.find(({key}) => key === id)?.label,
			mayChange: options.mayChange,
			notify,
			update: options.update,
			changed,
		});
	}

	stop(): void {
		this.work.stop();
		this.exports.stop();
		this.finetune.stop();
	}
}
