import {execFileSync} from 'node:child_process';
import {expect, test, vi} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {
	deleteLine,
	type EditTools,
	editLines,
	episodesLine,
	pushLine,
	toolsRemark,
	viewLine,
} from '../../../source/store/export/lerobot-edits.ts';
import {
	byDataset,
	excludeLine,
	sourceOfFolder,
	sourceOf as sourceOfItem,
} from '../../../source/store/export/lerobot-lines.ts';

/** Nothing is known of the installed one. */
const anyTools: EditTools = {
	operations: null,
	flags: null,
	message: 'There is no lerobot-edit-dataset here.',
};

/** The line that is run, below the remarks on it. */
const runLine = (lines: string) => lines.split('\n').find(line => !line.startsWith('#')) ?? '';

const episode = (dataset: string, episode_index: number) =>
	({dataset_id: dataset, dataset_name: dataset, episode_index}) as LakeEpisode;

const sourceOf = async ({dataset_name: name}: LakeEpisode) => sourceOfFolder(name, `/robots/day one/${name}`);

/** The words that a shell makes of a line. */
const words = (line: string) =>
	execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], {encoding: 'utf8'})
		.trimEnd()
		.split('\n');

test('a line a dataset, its indices in order and once, and the original stays', async () => {
	const chosen = [episode('push', 9), episode('fold', 31), episode('fold', 3), episode('fold', 31)];
	const lines = (await byDataset(chosen, sourceOf)).map(of => deleteLine(of, anyTools));
	expect(lines.map(runLine).map(words)).toEqual(
		[
			['fold', '[3, 31]'],
			['push', '[9]'],
		].map(([name, indices]) => [
			'lerobot-edit-dataset',
			'--repo_id',
			`local/${name}`,
			'--root',
			`/robots/day one/${name}`,
			'--new_repo_id',
			`local/${name}_kept`,
			'--operation.type',
			'delete_episodes',
			'--operation.episode_indices',
			indices,
		]),
	);
	const [fold] = await byDataset(chosen, sourceOf);
	expect(words(fold ? excludeLine(fold) : '')).toEqual([
		'--dataset.repo_id=local/fold',
		'--dataset.root=/robots/day one/fold',
		'--dataset.exclude_episodes=[3, 31]',
	]);
});

test('a dataset that lies where LeRobot keeps them is named as LeRobot names it', () => {
	vi.stubEnv('HF_LEROBOT_HOME', '/data/lerobot');
	try {
		expect(sourceOfFolder('cups', '/data/lerobot/anna/cups')).toEqual({repoId: 'anna/cups', root: undefined});
		expect(sourceOfFolder('cups', '/data/cups')).toEqual({repoId: 'local/cups', root: '/data/cups'});
	} finally {
		vi.unstubAllEnvs();
	}
});

const item = {
	artifact_id: 'd1',
	subtype: 'lerobot_v3',
	path: 'local/cups',
	metadata: {folder: '/robots/cups', format: 'v2.1', episodes: 3},
	created_at: '',
	updated_at: '',
};

test('a dataset is found by the folder that its listing tells, as far as that is one of this machine', () => {
	const of = {dataset_name: 'cups'};
	expect(sourceOfItem(of, item, true)).toEqual({
		repoId: 'local/cups',
		root: '/robots/cups',
		format: 'v2.1',
		episodes: 3,
	});
	expect(sourceOfItem(of, item, false)).toMatchObject({repoId: 'local/cups', root: undefined});
	expect(sourceOfItem(of, undefined, true)).toEqual({repoId: 'cups', root: undefined});
});

test('what LeRobot would refuse is said: a dataset of which nothing is left, a format that is not v3.0', async () => {
	const from = async (episode: LakeEpisode) => sourceOfItem(episode, item, true);
	const [all] = await byDataset(
		[0, 1, 2].map(index => episode('cups', index)),
		from,
	);
	const [some] = await byDataset([episode('cups', 1)], from);
	if (all === undefined || some === undefined) throw new Error('no dataset');
	expect(excludeLine(all)).toBe('# local/cups: all of its episodes (3); nothing would be left');
	const lines = deleteLine(some, anyTools);
	const line = runLine(lines);
	expect(lines.split('\n')[0]).toBe('# local/cups is v2.1: this command takes v3.0 alone, convert it first');
	expect(words(line).at(-1)).toBe('[1]');
});

test('each further edit says where its result goes, takes no dataset in place, and is words that a shell reads back', async () => {
	vi.stubEnv('HF_LEROBOT_HOME', '/data/lerobot');
	try {
		const groups = await byDataset([episode('fold', 1), episode('push', 0)], async of => ({
			...(await sourceOf(of)),
			episodes: 3,
		}));
		const tasks = () => new Map([[1, 'fold "it"']]);
		const lines = editLines(groups, tasks, anyTools).split('\n');
		const remarks = lines.filter(line => line.startsWith('#'));
		expect(remarks).toHaveLength(1 + 3 * 2);
		for (const remark of remarks)
			expect(remark).toMatch(/: (makes|LeRobot does it in place, here in the copy) \/data\/lerobot\/local\//);
		const orders = lines
			.filter(line => !line.startsWith('#'))
			.flatMap(line => line.split(' && '))
			.map(words);
		const of = (type: string) => orders.find(order => order.includes(type)) ?? [];
		expect(of('split').at(-1)).toBe('{"chosen":[1],"others":[0,2]}');
		expect(of('remove_feature')).toEqual(
			expect.arrayContaining(['--new_repo_id', 'local/fold_less', '["FEATURE"]']),
		);
		expect(of('merge').slice(-4)).toEqual([
			'--operation.repo_ids',
			'["local/fold","local/push"]',
			'--operation.roots',
			'["/robots/day one/fold","/robots/day one/push"]',
		]);
		const copied = '/data/lerobot/local/fold_tasks';
		expect(of('modify_tasks')).toEqual([
			'lerobot-edit-dataset',
			...['--repo_id', 'local/fold_tasks', '--root', copied, '--operation.type', 'modify_tasks'],
			...['--operation.episode_tasks', '{"1":"fold \\"it\\""}'],
		]);
		expect(orders).toContainEqual(['mkdir', copied]);
		expect(orders).toContainEqual(['cp', '-RL', '/robots/day one/fold/.', copied]);
		expect(words(episodesLine(groups[0] as never)).at(-1)).toBe('--dataset.episodes=[1]');
	} finally {
		vi.unstubAllEnvs();
	}
});

test('where the trainer has no exclude list, the others are chosen, and where that is not known both are there', async () => {
	const [of] = await byDataset([episode('cups', 1)], async each => sourceOfItem(each, item, true));
	if (of === undefined) throw new Error('no dataset');
	expect(words(excludeLine(of, true)).at(-1)).toBe('--dataset.exclude_episodes=[1]');
	expect(words(runLine(excludeLine(of, false)))).toEqual(words(episodesLine({...of, indices: [0, 2]})));
	const [line = '', remark = '', others = ''] = excludeLine(of).split('\n');
	expect(words(line).at(-1)).toBe('--dataset.exclude_episodes=[1]');
	expect(remark).toContain('up to v0.6.1');
	expect(others).toBe(`# ${episodesLine({...of, indices: [0, 2]})}`);
});

test('an operation or a flag that the installed LeRobot has not is a sentence in the place of its line', async () => {
	const [of] = await byDataset([episode('cups', 1)], async each => sourceOfItem(each, item, true));
	if (of === undefined) throw new Error('no dataset');
	const old = {
		message: 'lerobot-edit-dataset of LeRobot 0.4.0',
		operations: ['delete_episodes', 'split'],
		flags: ['--operation.splits', '--operation.episode_indices'],
	};
	expect(toolsRemark(old)).toBe('# as lerobot-edit-dataset of LeRobot 0.4.0 of this machine has them');
	const lines = editLines([of], () => new Map([[1, 'fold']]), old).split('\n');
	expect(lines.filter(line => !line.startsWith('#'))).toEqual([expect.stringContaining('type split')]);
	expect(lines).toContain('# lerobot-edit-dataset of LeRobot 0.4.0 has no modify_tasks');
	expect(deleteLine(of, old)).toContain('has no --new_repo_id, which delete_episodes needs here');
});

test('an episode is shown over SSH or written to a file, and a dataset is put on the Hub under a name that can be', () => {
	const source = {repoId: 'local/fold', root: '/robots/day one/fold'};
	const [tunnel = '', served = '', , saved = ''] = viewLine(source, 7).split('\n');
	expect(tunnel).toContain('ssh -L 9876:localhost:9876');
	const start = [
		'lerobot-dataset-viz',
		'--repo-id',
		'local/fold',
		'--root',
		'/robots/day one/fold',
		'--episode-index',
		'7',
	];
	expect(words(served)).toEqual([...start, '--mode', 'distant', '--grpc-port', '9876']);
	expect(words(saved)).toEqual([...start, '--save', '1', '--output-dir', '.']);
	const [, push = ''] = pushLine(source).split('\n');
	expect(words(push).at(-1)).toContain(
		'LeRobotDataset("YOU/fold", root="/robots/day one/fold").push_to_hub(private=True)',
	);
	const snapshot = '/cache/lerobot/hub/datasets--anna--cups/snapshots/0123abc';
	expect(sourceOfFolder('cups', snapshot)).toEqual({repoId: 'anna/cups', root: snapshot});
});
