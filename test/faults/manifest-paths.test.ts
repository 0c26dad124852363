import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type ManifestFile, manifestFile} from '../../source/contract/local-uploads.ts';
import {manifestPathProblem} from '../../source/contract/uploads.ts';
import {assemble} from '../../source/service/uploads/assemble.ts';
import {BlobStore} from '../../source/service/uploads/blob-store.ts';
import {manifestIssues} from '../../source/service/uploads/manifest.ts';
import {sha256} from '../service/support/uploading.ts';
import {patience, times} from './support/soak.ts';

let root: string;
let lake: string;
beforeEach(() => {
	root = mkdtempSync(path.join(tmpdir(), 'lakescope-paths-'));
	lake = path.join(root, 'deep', 'in', 'lake');
	mkdirSync(lake, {recursive: true});
});
afterEach(() => rmSync(root, {recursive: true}));

const content = Buffer.from('content');
const blob = {blob_id: sha256(content), content_length: content.byteLength};
const fileAt = (name: string): ManifestFile => ({path: name, size: content.byteLength, blobs: [blob]});

async function filled(): Promise<BlobStore> {
	const blobs = new BlobStore(lake);
	await blobs.put(
		{blobId: blob.blob_id, length: blob.content_length},
		(async function* () {
			yield content;
		})(),
	);
	return blobs;
}

async function filesIn(folder: string): Promise<string[]> {
	const found = await readdir(folder, {recursive: true, withFileTypes: true});
	return found
		.filter(each => each.isFile())
		.map(each => path.join(each.parentPath, each.name))
		.sort();
}

const make = (blobs: BlobStore, manifest: ManifestFile[], target: string) =>
	assemble({
		...{manifest, blobs, target, workshop: path.join(lake, 'uploads', 'assembling')},
		...{signal: new AbortController().signal, onProgress: () => {}},
	});

test.each([
	['nothing', ''],
	['an absolute path', '/etc/passwd'],
	['a step up', '../outside'],
	['a step up in the middle', 'data/../../outside'],
	['a step up at the end', 'data/..'],
	['a step nowhere', './data'],
	['an empty name', 'data//file'],
	['a folder', 'data/'],
	['a backslash', 'data\\..\\file'],
	['a drive', 'C:\\file'],
	['a NUL', 'data/file\0.parquet'],
	['half a character', 'data/\ud800'],
	['a name too long for a disk', 'x'.repeat(256)],
	['a name too long in bytes', 'é'.repeat(128)],
	['a path too long', Array.from({length: 600}, () => 'x').join('/')],
])('%s is no path of a manifest', (_, name) => {
	expect(manifestPathProblem(name)).toMatch(/^must /);
	expect(manifestFile.safeParse(fileAt(name)).success).toBe(false);
});

const odd = fc.oneof(
	fc.string({unit: 'binary', maxLength: 300}),
	fc
		.array(
			fc.constantFrom(
				...[
					'..',
					'.',
					'',
					'/',
					'//',
					'\\',
					'%2e%2e',
					'%2f',
					'~',
					'-rf',
					'meta',
					'info.json',
					'a b',
					'é',
					'e\u0301',
				],
				...['\u202e', '\u200b', '\0', '\n', '\u001b[2J', '…', '🦾', '.hidden', 'con', 'x'.repeat(255), ' '],
			),
			{maxLength: 8},
		)
		.map(parts => parts.join('/')),
);

const tries = times(500, 5000);

test(
	`${tries} odd paths: each is refused, or one file comes to be, at that path below the dataset's folder and nowhere else`,
	async () => {
		const blobs = await filled();
		const outside = await filesIn(root);
		const target = path.join(lake, 'uploads', 'datasets', 'odd', 'revision');
		await fc.assert(
			fc.asyncProperty(odd, async name => {
				if (!manifestFile.safeParse(fileAt(name)).success) return;
				await make(blobs, [fileAt(name)], target);
				const made = path.join(target, name);
				expect(await filesIn(root)).toEqual([...outside, made].sort());
				expect(await readFile(made)).toEqual(content);
				rmSync(target, {recursive: true});
			}),
			{numRuns: tries, seed: 7},
		);
	},
	patience(tries, 20),
);

test('many odd names lie side by side, each with its own content', async () => {
	const blobs = await filled();
	const names = fc.sample(odd, {numRuns: times(300, 3000), seed: 11});
	let whole = [...new Set(names)].map(fileAt).filter(file => manifestFile.safeParse(file).success);
	// Not all faults are told at once.
	for (let issues = manifestIssues(whole); issues.length > 0; issues = manifestIssues(whole)) {
		const faulty = new Set(issues.map(({loc}) => loc[2]));
		whole = whole.filter((_, index) => !faulty.has(index));
	}
	expect(whole.length).toBeGreaterThan(20);
	const target = path.join(lake, 'uploads', 'datasets', 'odd', 'revision');
	await make(blobs, whole, target);
	expect(await filesIn(target)).toEqual(whole.map(file => path.join(target, file.path)).sort());
});
