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
import type {Selection} from '../../store/selection/selection.ts';
import type {NoticeWay} from '../../store/state/notices.ts';

/** A form of an export. */
export type ExportForm = {
	readonly label: string;
	readonly description: string;
	/** The episodes themselves, read page after page. */
	readonly episodes?: EpisodeFormId;
	/** Arguments for LeRobot's own commands, made of the episodes. */
	readonly lerobot?: LerobotForm;
	readonly text?: (explorer: Explorer, selection: Selection) => string;
	/** Names the copy in the notice. @default the episodes in this form */
	readonly copied?: (whose: string) => string;
};

export const exportForms: readonly ExportForm[] = [
	{label: 'JSON lines', description: 'one JSON object per line', episodes: 'jsonl'},
	{label: 'JSON', description: 'one document: {"episodes": […], "total": N}', episodes: 'json'},
	{label: 'CSV', description: 'one row per episode, with a header', episodes: 'csv'},
	{label: 'parquet', description: 'one row per episode with typed columns: to a file', episodes: 'parquet'},
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
		label: 'episodes',
		description: '--dataset.episodes: train on these alone',
		lerobot: 'episodes',
		copied: whose => `the option that trains on ${whose} alone`,
	},
	{
		label: 'edit',
		description: 'lerobot-edit-dataset: split, merge, tasks, features',
		lerobot: 'edit',
		copied: whose => `the commands that edit the datasets of ${whose}`,
	},
	{
		label: 'view',
		description: 'lerobot-dataset-viz: the episode at the cursor, over SSH',
		lerobot: 'view',
		copied: () => 'the command that shows the episode at the cursor',
	},
	{
		label: 'push',
		description: 'put the datasets of these on the Hub',
		lerobot: 'push',
		copied: whose => `the command that puts the datasets of ${whose} on the Hub`,
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

/** No clipboard takes it: it can only be written to a file. */
export const isBinary = ({episodes}: ExportForm): boolean =>
	episodes !== undefined && 'pieces' in episodeForms[episodes];

const option = '--dataset.exclude_episodes';

/** Describes a form, with the state of the trainer that it is for. */
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
			return 'the others by --dataset.episodes, as the trainer is older';
		default:
			return description;
	}
}

/** A warning about a form that can still be used, with the action that does better. */
export function caveatOf({
	lerobot,
}: ExportForm): {readonly text: string; readonly way: NoticeWay} | undefined {
	if (lerobot !== 'exclude') return undefined;
	return {
		text: "Trainers normalize with the dataset's statistics, which still include the excluded episodes.",
		way: {action: 'selection.compose', does: 'composes a dataset with its own statistics'},
	};
}

/** Names the copy. */
export function copiedWords({label, copied}: ExportForm, whose: string): string {
	return copied?.(whose) ?? `${whose} as ${label}`;
}

/** The default file name: `lakescope-20260501-140322.csv`, in the working directory. */
export function offeredName({episodes}: ExportForm, at: Date): string {
	const stamp = at.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
	return `lakescope-${stamp}.${episodes === undefined ? 'sh' : episodeForms[episodes].extension}`;
}

/** The content of an export. */
export function contentOf(
	{episodes, lerobot, text}: ExportForm,
	explorer: Explorer,
	selection: Selection,
): ExportContent {
	if (episodes !== undefined) return {selection, form: episodes};
	if (lerobot !== undefined) return lerobotContent(explorer, selection, lerobot);
	return {text: text?.(explorer, selection) ?? ''};
}

/** The options of this machine's trainer, asked while the dialog is open; undefined if the service has none. */
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
