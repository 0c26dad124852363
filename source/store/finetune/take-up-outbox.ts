import type {Client} from '../../client/client.ts';
import {readComposition} from '../export/compose-selection.ts';
import type {Notice} from '../state/notices.ts';
import type {Outbox} from '../state/outbox.ts';
import type {OutboxEntry} from '../state/remembered-state.ts';
import type {FinetuneController} from './finetune-controller.ts';

type Parts = {
	readonly outbox: Outbox;
	readonly finetune: Pick<FinetuneController, 'sending'>;
	readonly client: Pick<Client, 'composition'>;
	readonly notify: (kind: Notice['kind'], text: string) => void;
	readonly signal: AbortSignal;
};

/** Says what became of what earlier runs were sending when they ended: by reading, nothing is sent again. */
export async function takeUpOutbox(parts: Parts): Promise<void> {
	const left = parts.outbox.left();
	const compositions = left.filter(({kind}) => kind === 'composition');
	const finetunes = left.filter(({kind}) => kind === 'fine-tune');
	await Promise.all([
		...compositions.map(entry => takeUpComposition(entry, parts)),
		(async () => {
			// The form shows one at a time.
			for (const entry of finetunes) if (!parts.signal.aborted) await parts.finetune.sending.takeUp(entry);
		})(),
	]);
}

async function takeUpComposition({id, name}: OutboxEntry, parts: Parts): Promise<void> {
	const {outbox, client} = parts;
	const look = (signal: AbortSignal) => readComposition(client, id, signal);
	const outcome = await outbox.settle(id, {look}, '', {isPatient: true});
	const before = `lakescope ended while ${name} was being requested`;
	if (outcome.kind === 'made') {
		parts.notify('info', `${before}. The request arrived: the uploads (2) show its progress.`);
	} else if (outcome.kind === 'absent') {
		parts.notify('warning', `${before}. The request did not arrive: the service does not know it.`);
	}
}
