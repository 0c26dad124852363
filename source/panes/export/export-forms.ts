import {useEffect, useState} from 'react';
import {useExplorer, useLocal} from '../../hooks/explorer.tsx';
import type {Explorer} from '../../store/explorer.ts';
import {type EpisodeFormId, episodeForms} from '../../store/export/episode-forms.ts';
import type {ExportContent} from '../../store/export/exporter.ts';
import {
	type LerobotForm,
	lerobotContent,
	type TrainerKnowledge,
	trainerKnowledge,
} from '../../store/export/lerobot-lines.ts';
import {commandLines, curlLines} from '../../store/export/shell-lines.ts';
import type {NoticeWay} from '../../store/state/notices.ts';
import type {Selection} from '../../store/state/selection.ts';

/** A way to hand over what is selected. */
export type ExportForm = {
	readonly label: string;
	readonly description: string;
	/** Episodes that are read, page after page; else a text that says how to get them. */
	readonly episodes?: EpisodeFormId;
	/** Episodes that are read, and handed to LeRobot's own commands. */
	readonly lerobot?: LerobotForm;
	readonly text?: (explorer: Explorer, selection: Selection) => string;
	/** What a copy of it is; the episodes in this form where it is not told. */
	readonly copied?: (whose: string) => string;
};

export const exportForms: readonly ExportForm[] = [
	{label: 'JSON lines', description: 'one JSON object per line', episodes: 'jsonl'},
	{label: 'JSON', description: 'one document: {"episodes": […], "total": N}', episodes: 'json'},
	{label: 'CSV', description: 'one row per episode, with a header', episodes: 'csv'},
	{label: 'ids', description: 'episode ids, one per line', episodes: 'ids'},
	{
		label: 'lakescope',
		description: 'the lakescope command',
		text: ({serviceName}, selection) => commandLines(selection, serviceName),
		copied: whose => `the lakescope command that prints ${whose}`,
	},
	{
		label: 'curl',
		description: 'the request, up to 200; key by $LAKESCOPE_API_KEY',
		text: ({client, serviceName}, selection) => curlLines(selection, client.address, serviceName),
		copied: whose => `the curl request for ${whose}`,
	},
	{
		label: 'delete',
		description: 'lerobot-edit-dataset: delete these',
		lerobot: 'delete',
		copied: whose => `the command that deletes ${whose}`,
	},
	{
		label: 'rejected',
		description: 'lerobot-edit-dataset: delete the rejected',
		lerobot: 'delete-rejected',
		copied: whose => `the command that deletes the rejected of ${whose}`,
	},
	{
		label: 'exclude',
		description: '--dataset.exclude_episodes, if the trainer supports it',
		lerobot: 'exclude',
		copied: whose => `the option that excludes ${whose} from training`,
	},
];

const option = '--dataset.exclude_episodes';

/** What is said of a form, with what is known of the trainer that it is for. */
export function descriptionOf(
	{lerobot, description}: ExportForm,
	trainer: TrainerKnowledge | undefined,
): string {
	if (lerobot !== 'exclude') return description;
	switch (trainer?.kind) {
		case 'asking':
			return `${option}; checking the local trainer`;
		case 'knows':
			return `${option}: supported by the local trainer`;
		case 'lacks':
			return 'not supported by the local trainer: use delete';
		default:
			return description;
	}
}

/** What is said of a form that is handed over all the same, with the action that is the better way. */
export function caveatOf({
	lerobot,
}: ExportForm): {readonly text: string; readonly way: NoticeWay} | undefined {
	if (lerobot !== 'exclude') return undefined;
	return {
		text: "Trainers normalize with the dataset's statistics, which still include the excluded episodes.",
		way: {action: 'selection.compose', does: 'composes a dataset with its own statistics'},
	};
}

/** Why a form is not handed over, in a sentence; undefined where it is. */
export function refusalOf({lerobot}: ExportForm, trainer: TrainerKnowledge | undefined): string | undefined {
	if (lerobot !== 'exclude' || trainer?.kind !== 'lacks') return undefined;
	return `${trainer.message} Use delete, which makes a copy without these.`;
}

/** What was copied, in words. */
export function copiedWords({label, copied}: ExportForm, whose: string): string {
	return copied?.(whose) ?? `${whose} as ${label}`;
}

/** The name that a file is offered under: `lakescope-20260501-140322.csv`, in the folder where the program runs. */
export function offeredName({episodes}: ExportForm, at: Date): string {
	const stamp = at.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
	return `lakescope-${stamp}.${episodes === undefined ? 'sh' : episodeForms[episodes].extension}`;
}

/** What an export in a form holds. */
export function contentOf(
	{episodes, lerobot, text}: ExportForm,
	explorer: Explorer,
	selection: Selection,
): ExportContent {
	if (episodes !== undefined) return {selection, form: episodes};
	if (lerobot !== undefined) return lerobotContent(explorer, selection, lerobot);
	return {text: text?.(explorer, selection) ?? ''};
}

/** What is known of this machine's trainer, asked while this is shown; undefined where the service has none to ask. */
export function useTrainer(): TrainerKnowledge | undefined {
	const {client, local} = useExplorer();
	const canAsk = useLocal(({document}) => document?.abilities.includes('trainer-options') ?? false);
	const [known, setKnown] = useState<TrainerKnowledge | undefined>(undefined);
	useEffect(() => {
		if (!canAsk) return;
		const asking = new AbortController();
		const follow = async () => {
			for await (const state of trainerKnowledge(
				client,
				(ability, signal) => local.can(ability, signal),
				asking.signal,
			))
				setKnown(state);
		};
		follow().catch(() => {
			if (!asking.signal.aborted) setKnown(undefined);
		});
		return () => asking.abort();
	}, [client, local, canAsk]);
	return known;
}
