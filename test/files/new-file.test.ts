import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createFile, FileExistsError, FileWriteError} from '../../source/files/new-file.ts';

let folder: string;
let file: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-new-file-'));
	file = path.join(folder, 'out.txt');
});

afterEach(() => rmSync(folder, {recursive: true, force: true}));

test('a file is there under its name once it is whole, and nothing else is', async () => {
	const target = await createFile(file);
	await target.write('one\n');
	expect(readdirSync(folder)).not.toContain('out.txt');
	await target.write('two\n');
	await target.finish();
	expect(readdirSync(folder)).toEqual(['out.txt']);
	expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

test('what was given up leaves nothing', async () => {
	const target = await createFile(file);
	await target.write('half');
	await target.abandon();
	expect(readdirSync(folder)).toEqual([]);
});

test('a file that is there is kept, also one that came meanwhile', async () => {
	const late = await createFile(file);
	await late.write('new');
	writeFileSync(file, 'old');
	await expect(createFile(file)).rejects.toThrow(FileExistsError);
	await expect(late.finish()).rejects.toThrow(FileExistsError);
	expect(readFileSync(file, 'utf8')).toBe('old');
	const agreed = await createFile(file, {overwrite: true});
	await agreed.write('new');
	await agreed.finish();
	expect(readFileSync(file, 'utf8')).toBe('new');
	expect(readdirSync(folder)).toEqual(['out.txt']);
});

test('a folder that is not there is said', async () => {
	const nowhere = createFile(path.join(folder, 'no', 'out.txt'));
	await expect(nowhere).rejects.toThrow(FileWriteError);
	await expect(nowhere).rejects.toThrow(/out\.txt cannot be written: no such file or folder/);
});

test('a full disk is said, and leaves nothing', async () => {
	// Linux's own full disk: every write to it fails.
	const target = await createFile(file);
	const {default: fs} = await import('node:fs/promises');
	const full = await fs.open('/dev/full', 'w');
	const proto = Object.getPrototypeOf(full);
	const original = proto.writeFile;
	proto.writeFile = (data: string) => original.call(full, data);
	try {
		await expect(target.write('more')).rejects.toThrow('cannot be written: the disk is full.');
	} finally {
		proto.writeFile = original;
		await full.close();
	}
	await target.abandon();
	expect(readdirSync(folder)).toEqual([]);
});

test('what is no file is not offered to be overwritten, nor is it', async () => {
	for (const overwrite of [false, true]) {
		await expect(createFile(folder, {overwrite})).rejects.toThrow(
			new FileWriteError(`${folder} cannot be written: it is a folder. Give another name.`),
		);
		await expect(createFile('/dev/null', {overwrite})).rejects.toThrow(
			new FileWriteError('/dev/null cannot be written: it is not a file. Give another name.'),
		);
	}
});
