import {createHash} from 'node:crypto';
import type {ValidationIssue} from '../../contract/errors.ts';
import type {ManifestBlob, ManifestFile} from '../../contract/local-uploads.ts';

/** How many of a manifest's faults are told at once. */
const toldIssues = 100;

const emptySha256 = createHash('sha256').digest('hex');

type Fault = {readonly field: 'path' | 'size' | 'sha256'; readonly msg: string};

function sizeFault({path, size, blobs}: ManifestFile): Fault | undefined {
	const sum = blobs.reduce((bytes, blob) => bytes + blob.content_length, 0);
	if (sum === size) return undefined;
	return {field: 'size', msg: `${path} is said to have ${size} bytes, and its blobs have ${sum}`};
}

/** A hash over several blobs is checked when they are put together. */
function hashFault({path, sha256, blobs}: ManifestFile): Fault | undefined {
	if (sha256 === undefined || blobs.length > 1) return undefined;
	const found = blobs[0]?.blob_id ?? emptySha256;
	if (found === sha256) return undefined;
	return {field: 'sha256', msg: `${path} is said to have the sha256 ${sha256}, and its content has ${found}`};
}

/** The folders that a path passes through: `a/b/c` → `a`, `a/b`. */
function foldersOf(path: string): string[] {
	const names = path.split('/').slice(0, -1);
	return names.map((_, i) => names.slice(0, i + 1).join('/'));
}

/** Says where a file stands in another's way. */
function placeFinder(
	manifest: readonly ManifestFile[],
): (file: ManifestFile, index: number) => Fault | undefined {
	const firstAt = new Map<string, number>();
	manifest.forEach(({path}, index) => {
		if (!firstAt.has(path)) firstAt.set(path, index);
	});
	return ({path}, index) => {
		if (firstAt.get(path) !== index) return {field: 'path', msg: `${path} is there more than once`};
		const blocked = foldersOf(path).find(folder => firstAt.has(folder));
		if (blocked === undefined) return undefined;
		return {field: 'path', msg: `${path} cannot be there, as ${blocked} is a file`};
	};
}

/** The problems of a manifest as a whole; the schema has checked each file. */
export function manifestIssues(manifest: readonly ManifestFile[]): ValidationIssue[] {
	const placeFault = placeFinder(manifest);
	const issues: ValidationIssue[] = [];
	for (const [index, file] of manifest.entries()) {
		for (const fault of [placeFault(file, index), sizeFault(file), hashFault(file)]) {
			if (!fault) continue;
			issues.push({loc: ['body', 'manifest', index, fault.field], msg: fault.msg, type: 'value_error'});
			if (issues.length === toldIssues) return issues;
		}
	}
	return issues;
}

/** The distinct blobs of a manifest. */
export function blobsOf(manifest: readonly ManifestFile[]): ManifestBlob[] {
	const found = new Map<string, ManifestBlob>();
	for (const {blobs} of manifest) {
		for (const blob of blobs) found.set(`${blob.blob_id} ${blob.content_length}`, blob);
	}
	return [...found.values()];
}

export const bytesOf = (manifest: readonly ManifestFile[]): number =>
	manifest.reduce((sum, {size}) => sum + size, 0);

/** A hash over a manifest's paths and contents, whatever the order of its files: what names its dataset's folder. */
export function revisionOf(manifest: readonly ManifestFile[]): string {
	const lines = manifest.map(({path, size, blobs}) =>
		JSON.stringify([path, size, blobs.map(blob => blob.blob_id)]),
	);
	return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
