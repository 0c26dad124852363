import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {print} from '../../../source/query/print.ts';
import {keepLocation, recallLocation} from '../../../source/store/state/last-location.ts';
import type {Location} from '../../../source/store/state/user-state.ts';
import {filterOf} from '../support.ts';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-places-'));
	vi.stubEnv('XDG_STATE_HOME', folder);
});

afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, {recursive: true, force: true});
});

const place = (line: string, more: Partial<Location> = {}): Location => ({
	view: 'explore',
	filter: filterOf(line),
	position: {selected: 12, offset: 3},
	...more,
});

test('each lake is found again where it was left, readable to its user alone', async () => {
	expect(await keepLocation('/a', place('tier:none task:"a \\"b\\"" max(gripper.pos)>50'))).toBeUndefined();
	await keepLocation('/b', place('towel', {view: 'jobs', opened: 'j-1'}));
	await keepLocation('/a', place('max(gripper.pos)>51'));
	const a = await recallLocation('/a');
	expect(a && print(a.filter)).toBe('max(action.gripper.pos)>51');
	expect(a).toMatchObject({view: 'explore', position: {selected: 12, offset: 3}});
	expect(await recallLocation('/b')).toMatchObject({view: 'jobs', opened: 'j-1'});
	expect(await recallLocation('/c')).toBeUndefined();
	const [file = ''] = readdirSync(path.join(folder, 'lakescope'));
	expect(statSync(path.join(folder, 'lakescope', file)).mode & 0o777).toBe(0o600);
});

test('explorers of several lakes that end at once each keep their place', async () => {
	const lakes = Array.from({length: 12}, (_, at) => `/lake-${at}`);
	await Promise.all(
		lakes.map((lake, at) => keepLocation(lake, place('', {position: {selected: at, offset: 0}}))),
	);
	const found = await Promise.all(lakes.map(recallLocation));
	expect(found.map(each => each?.position.selected)).toEqual(lakes.map((_, at) => at));
});
