import {rm} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {type BenchShape, writeBenchDataset} from '../../bench/ingest/bench-dataset.ts';
import {programHome} from './support/program.ts';

const home = programHome();

const datasets: readonly (BenchShape & {readonly name: string})[] = [
	{name: 'short', dims: 6, files: 1, episodesPerFile: 20_000, framesPerEpisode: 12},
	{name: 'shortest', dims: 1, files: 1, episodesPerFile: 205_000, framesPerEpisode: 4},
	{name: 'wide', dims: 30, files: 5, episodesPerFile: 1000, framesPerEpisode: 12},
];

// Each has more episodes × channels than the 204,800 rows that DuckDB's appender gathers before it flushes by itself;
// the second has more episodes, too.
test.each(datasets)(
	'a dataset of $files × $episodesPerFile episodes of $framesPerEpisode frames and 2 × $dims channels is ingested whole',
	async ({name, ...shape}) => {
		const folder = home.at(name);
		const lake = home.at(`lake-${name}`);
		await writeBenchDataset(folder, shape);
		const episodes = shape.files * shape.episodesPerFile;
		const frames = episodes * shape.framesPerEpisode;
		const ingest = await home.run(['ingest', '--lake', lake, folder]);
		const figures = `${episodes.toLocaleString('en')} episodes, ${frames.toLocaleString('en')} frames`;
		expect(ingest).toMatchObject({code: 0, stdout: `${name}: ${figures}\n`});
		expect(ingest.stderr).not.toContain('cannot be read');
		const listed = JSON.parse(
			(await home.run(['episodes', '--lake', lake, '--json', '--limit', '1'])).stdout,
		);
		expect([listed.total, listed.total_frames]).toEqual([episodes, frames]);
		const last = `index:${episodes - 1}`;
		const found = JSON.parse((await home.run(['episodes', '--lake', lake, '--json', last])).stdout);
		expect(found.episodes).toMatchObject([{episode_index: episodes - 1, tier: 'retrainable'}]);
		await rm(folder, {recursive: true});
	},
	300_000,
);
