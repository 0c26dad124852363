import {describe} from 'vitest';
import {datasetFilesQuery} from '../../source/contract/files.ts';
import {dismissRequest, prepareBatchRequest} from '../../source/contract/uploads.ts';
import {holdBounds, holdDefaults, holdNulls, holdPresence, holdStrict, type Subject} from './bounds.ts';

describe('prepare-batch request', () => {
	const blob = {blob_id: 'a'.repeat(64), envelope_sha256: 'b'.repeat(64), content_length: 1024};
	const subject: Subject = {
		section: '4.4 prepare-batch',
		schema: prepareBatchRequest,
		example: {blobs: [blob], ttl_seconds: 300},
	};
	holdBounds(subject, [
		['blobs', 'at least 1 item', [blob], []],
		['blobs', 'at most 128 items', Array(128).fill(blob), Array(129).fill(blob)],
		['blobs.0.blob_id', '64 characters', '0'.repeat(64), '0'.repeat(63)],
		['blobs.0.blob_id', 'no more than 64', '9'.repeat(64), '9'.repeat(65)],
		['blobs.0.blob_id', 'lowercase hex', 'f'.repeat(64), 'F'.repeat(64)],
		['blobs.0.envelope_sha256', '64 characters', '0'.repeat(64), '0'.repeat(63)],
		['blobs.0.envelope_sha256', 'no more than 64', '9'.repeat(64), '9'.repeat(65)],
		['blobs.0.envelope_sha256', 'lowercase hex', 'f'.repeat(64), 'g'.repeat(64)],
		['blobs.0.content_length', 'at least 1', 1, 0],
		['blobs.0.content_length', 'at most 33554432', 33_554_432, 33_554_433],
		['blobs.0.content_length', 'an integer', 2, 2.5],
		['ttl_seconds', 'at least 60', 60, 59],
		['ttl_seconds', 'at most 3600', 3600, 3601],
		['ttl_seconds', 'an integer', 61, 61.5],
	]);
	holdPresence(subject, {
		required: ['blobs', 'blobs.0.blob_id', 'blobs.0.envelope_sha256', 'blobs.0.content_length'],
		optional: ['ttl_seconds'],
	});
	holdDefaults(subject, [['ttl_seconds', 300]]);
	holdStrict(subject);
	holdStrict(subject, 'blobs.0');
	holdNulls(subject, {nullable: [], notNull: ['blobs', 'ttl_seconds']});
});

describe('dismiss request', () => {
	const subject: Subject = {
		section: '4.7 dismiss',
		schema: dismissRequest,
		example: {dismissed_through_unix: 1_736_150_400},
	};
	holdBounds(subject, [
		['dismissed_through_unix', 'at least 0', 0, -1],
		['dismissed_through_unix', 'an integer', 1, 1.5],
	]);
	holdDefaults(subject, [['dismissed_through_unix', 0]]);
	holdStrict(subject);
	holdNulls(subject, {nullable: [], notNull: ['dismissed_through_unix']});
});

describe('files query', () => {
	const subject: Subject = {
		section: '4.8 files query',
		schema: datasetFilesQuery,
		example: {path: 'acme/cups-01', ref: 'main'},
	};
	holdPresence(subject, {required: ['path'], optional: ['ref']});
	holdNulls(subject, {nullable: ['ref'], notNull: ['path']});
	holdDefaults(subject, [['ref', 'main']]);
	holdStrict(subject);
});
