import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {sightWords} from '../../../source/panes/uploads/check-rows.ts';
import {lookAt} from '../../../source/store/uploads/folder-chooser.ts';

function home(): string {
	const root = mkdtempSync(path.join(tmpdir(), 'lakescope-chooser-'));
	onTestFinished(() => rmSync(root, {recursive: true}));
	mkdirSync(path.join(root, 'cups'));
	return root;
}

test('a whole path behind the one that stood there counts alone', async () => {
	const root = home();
	const sight = await lookAt(`~/lerobot/${root}/cu`);
	expect(sight).toMatchObject({text: `${root}/cu`, exists: false, choices: [{path: `${root}/cups/`}]});
	expect((await lookAt(`${root}/~/x`)).text).toBe('~/x');
	expect((await lookAt(`${root}/cups`)).text).toBe(`${root}/cups`);
});

test('a folder that is not there, an empty one and one with folders are told apart', async () => {
	const root = home();
	const words = async (text: string) => sightWords(await lookAt(text));
	expect(await words(`${root}/nowhere`)).toBe(`No folder ${root}/nowhere.`);
	expect(await words(`${root}/cu`)).toBe('Folders that match:');
	expect(await words(`${root}/cups/`)).toBe(`No dataset and no subfolder: ${root}/cups/`);
	expect(await words(`${root}/`)).toBe('No dataset here; subfolders:');
});
