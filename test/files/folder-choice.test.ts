import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {commonStart, foldersLike, lookAtDataset} from '../../source/files/folder-choice.ts';

function home(): string {
	const root = mkdtempSync(path.join(tmpdir(), 'lakescope-choice-'));
	onTestFinished(() => rmSync(root, {recursive: true}));
	return root;
}

function dataset(folder: string, info: unknown): void {
	mkdirSync(path.join(folder, 'meta'), {recursive: true});
	writeFileSync(
		path.join(folder, 'meta', 'info.json'),
		typeof info === 'string' ? info : JSON.stringify(info),
	);
}

test('folders that begin as typed are offered, datasets with what they say of themselves', async () => {
	const root = home();
	dataset(path.join(root, 'cups-1'), {codebase_version: 'v3.0', total_episodes: 50, robot_type: 'so101'});
	mkdirSync(path.join(root, 'cups-archive'));
	mkdirSync(path.join(root, '.hidden'));
	mkdirSync(path.join(root, 'towels'));
	const found = await foldersLike(`${root}/CU`, '/');
	expect(found).toEqual([
		{path: `${root}/cups-1/`, look: {version: 'v3.0', episodes: 50, robot: 'so101'}},
		{path: `${root}/cups-archive/`, look: undefined},
	]);
	expect(commonStart(found)).toBe(`${root}/cups-`);
	expect((await foldersLike(`${root}/`, '/')).map(choice => choice.path)).toHaveLength(3);
	expect(await foldersLike(`${root}/nowhere/x`, '/')).toEqual([]);
});

test('a dataset whose description is torn is still one, and nothing is invented of it', async () => {
	const root = home();
	dataset(path.join(root, 'torn'), '{"codebase_version": "v3');
	dataset(path.join(root, 'odd'), {codebase_version: 3, total_episodes: 'many', robot_type: null});
	const nothing = {version: undefined, episodes: undefined, robot: undefined};
	expect(await lookAtDataset(path.join(root, 'torn'))).toEqual(nothing);
	expect(await lookAtDataset(path.join(root, 'odd'))).toEqual(nothing);
	expect(await lookAtDataset(root)).toBeUndefined();
});
