import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {truncate} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeEach, expect, test} from 'vitest';
import {listFolder} from '../../source/upload/folder-listing.ts';

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lakescope-listing-')));
let folder: string;
let folders = 0;

beforeEach(() => {
	folder = path.join(root, `dataset-${folders++}`);
	mkdirSync(folder);
});

afterAll(() => rmSync(root, {recursive: true, force: true}));

const at = (...names: string[]) => path.join(folder, ...names);

function write(name: string, content = name): void {
	mkdirSync(path.dirname(at(name)), {recursive: true});
	writeFileSync(at(name), content);
}

const pathsOf = async () => (await listFolder(folder)).files.map(({path: name}) => name);
const problemsOf = async () =>
	(await listFolder(folder)).problems.map(({file, message}) => `${file} ${message}`);

test('lists every file below the folder, in the order of their paths, and counts the bytes', async () => {
	for (const name of ['meta/info.json', 'data/b', 'data/a', 'z', 'data.txt', '.hidden']) write(name, '12345');
	const {files, bytes, problems} = await listFolder(folder);
	expect(files.map(({path: name}) => name)).toEqual([
		'.hidden',
		'data.txt',
		'data/a',
		'data/b',
		'meta/info.json',
		'z',
	]);
	expect(bytes).toBe(30);
	expect(problems).toEqual([]);
});

test('what version control, downloads and desktops leave behind is left out, and said', async () => {
	for (const name of ['.git/HEAD', '.cache/huggingface/x', 'videos/.DS_Store', 'kept']) write(name);
	const {files, leftOut} = await listFolder(folder);
	expect(files.map(({path: name}) => name)).toEqual(['kept']);
	expect(leftOut).toEqual(['.cache', '.git', 'videos/.DS_Store']);
});

test('links within the dataset are followed, those that lead out or to nothing are told', async () => {
	write('data/real');
	writeFileSync(path.join(root, 'outside'), 'secret');
	symlinkSync(at('data/real'), at('link'));
	symlinkSync(at('data'), at('again'));
	symlinkSync('../outside', at('out'));
	symlinkSync('/etc', at('etc'));
	symlinkSync('nowhere', at('dangling'));
	symlinkSync('.', at('data/round'));
	expect(await pathsOf()).toEqual(['again/real', 'data/real', 'link']);
	expect(await problemsOf()).toEqual(
		[
			'again/round is a link to a folder that contains it: remove it.',
			'dangling is a broken link: remove it.',
			'data/round is a link to a folder that contains it: remove it.',
			'etc is a link that leaves the dataset, to /etc: put the file itself there.',
			`out is a link that leaves the dataset, to ${root}/outside: put the file itself there.`,
		].toSorted(),
	);
});

test('a sibling whose name begins like the dataset’s is outside', async () => {
	mkdirSync(`${folder}-other`);
	writeFileSync(`${folder}-other/file`, 'x');
	symlinkSync(`${folder}-other/file`, at('link'));
	expect(await problemsOf()).toEqual([expect.stringContaining('leaves the dataset')]);
});

test('names that no manifest may hold are told', async () => {
	write('back\\slash');
	execFileSync('sh', ['-c', 'printf x > "$(printf "bad\\377name")"'], {cwd: folder});
	let deep = '';
	for (let i = 0; i < 6; i++) deep += `${'d'.repeat(200)}/`;
	mkdirSync(at(deep), {recursive: true});
	writeFileSync(at(deep, 'file'), 'x');
	const problems = await problemsOf();
	expect(problems).toHaveLength(3);
	expect(problems.join('\n')).toContain('back\\slash has a path that must not contain a backslash');
	expect(problems.join('\n')).toContain('has a name that is not UTF-8: rename it.');
	expect(problems.join('\n')).toContain('has a path that must be at most 1024 bytes long: rename it.');
});

test('pipes and sockets are told and not waited for', async () => {
	execFileSync('mkfifo', [at('pipe')]);
	expect(await problemsOf()).toEqual(['pipe is neither a file nor a folder: remove it.']);
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read is told', async () => {
	write('closed');
	chmodSync(at('closed'), 0);
	expect(await problemsOf()).toEqual(['closed cannot be read: permission denied.']);
});

test('a file larger than an upload can hold is told', async () => {
	write('sparse', '');
	await truncate(at('sparse'), 65_536 * 33_554_432 + 1);
	expect(await problemsOf()).toEqual(['sparse has 2199023255553 bytes, and a file may have 2199023255552.']);
});

test('a file’s stamp moves with its content, even when its time is set back', async () => {
	write('file', 'before');
	const stamp = async () => (await listFolder(folder)).files[0]?.stamp;
	const first = await stamp();
	expect(await stamp()).toBe(first);
	writeFileSync(at('file'), 'behind');
	execFileSync('touch', ['-d', '2020-01-01', at('file')]);
	const second = await stamp();
	expect(second).not.toBe(first);
});
