import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {ComposeForm} from '../../../source/panes/export/compose-form.tsx';
import {ExportDialog} from '../../../source/panes/export/export-dialog.tsx';
import {dialogOf, widths} from '../../support/dialog.tsx';
import {readParquet} from '../../support/parquet.ts';

test.each(widths)('%i columns: ids of all that match are copied, one per line', async width => {
	const {pane, closed} = await dialogOf('export', ExportDialog, {width});
	await pane.until(/▸JSON lines/);
	pane.press('j', 'j', 'j', 'j');
	await pane.until(/▸ids/);
	pane.press('enter');
	await expect.poll(() => pane.copied[0]?.trim().split('\n').length).toBe(40);
	await closed();
});

test('the file dialog offers a name, and esc goes back to the same form', async () => {
	const {pane} = await dialogOf('export', ExportDialog);
	await pane.until(/▸JSON lines/);
	pane.press('j', 'j', 'w');
	await pane.until(/\.csv/);
	pane.press('esc');
	await pane.until(/▸CSV/);
});

test('a clipboard cannot hold parquet: enter asks for the file too, which has every episode', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-export-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	const file = path.join(folder, 'all.parquet');
	const {pane, closed} = await dialogOf('export', ExportDialog);
	await pane.until(/▸JSON lines/);
	pane.press('j', 'j', 'j');
	await pane.until(/▸parquet/);
	pane.press('enter');
	await pane.until(/lakescope-\d+-\d+\.parquet/);
	pane.press('ctrl+u');
	pane.type(file);
	pane.press('enter');
	await closed();
	await expect.poll(() => readdirSync(folder)).toEqual(['all.parquet']);
	expect(await readParquet(file)).toHaveLength(40);
	expect(pane.copied).toEqual([]);
});

test('an existing file is overwritten only after a question', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-export-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	const file = path.join(folder, 'ids.txt');
	writeFileSync(file, 'old');
	const {pane, closed} = await dialogOf('export', ExportDialog);
	await pane.until(/▸JSON lines/);
	pane.press('j', 'j', 'j', 'j', 'w');
	await pane.until('Write ids to a file');
	pane.press('ctrl+u');
	pane.press('enter');
	await pane.until('Type the name of the file first.');
	pane.type(file);
	pane.press('enter');
	await pane.until('Overwrite the file?');
	pane.press('n');
	await pane.until('Write ids to a file');
	expect(readFileSync(file, 'utf8')).toBe('old');
	pane.press('enter');
	await pane.until('Overwrite the file?');
	pane.press('y');
	await closed();
	await expect.poll(() => readFileSync(file, 'utf8').trim().split('\n').length).toBe(40);
});

test('the limits of a form show below the list while the pointer is on it', async () => {
	const {pane} = await dialogOf('export', ExportDialog, {height: 20});
	await pane.until(/▸JSON lines/);
	expect(pane.rows().join('\n')).not.toContain('statistics');
	pane.press('G');
	await pane.until(/▸exclude[\s\S]*statistics/);
});

test.each(widths)('%i columns: a service that cannot compose says so before a name is typed', async width => {
	const {pane, closed} = await dialogOf('compose', ComposeForm, {width});
	const rows = await pane.until('cannot compose datasets');
	expect(rows.join('\n')).toContain('Compose a dataset from');
	pane.press('esc');
	await closed();
});

test('a name that datasets cannot have is refused with the rule, until another is typed', async () => {
	const {pane} = await dialogOf('compose', ComposeForm);
	await pane.until('cannot compose datasets');
	pane.type('-x');
	pane.press('enter');
	await pane.until('A name is letters, digits, dots, underscores and hyphens');
	pane.press('backspace');
	await expect.poll(() => pane.rows().join('\n')).not.toContain('A name is letters');
});

test('a key about rejected episodes says that there are none', async () => {
	const {pane, notice} = await dialogOf('compose', ComposeForm);
	await pane.until('name');
	pane.press('ctrl+r');
	await expect.poll(notice).toBe('None of these episodes is rejected.');
});
