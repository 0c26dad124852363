import {expect, test} from 'vitest';
import {plantedFaults, type SampleDataset, sampleDatasets} from '../../source/sample/datasets.ts';
import {faults} from '../../source/sample/faults.ts';

test('the sample is about 1,500 episodes of three embodiments and eight tasks', () => {
	const episodes = sampleDatasets.reduce((sum, dataset) => sum + dataset.episodes, 0);
	expect(sampleDatasets.length).toBeGreaterThanOrEqual(12);
	expect(sampleDatasets.length).toBeLessThanOrEqual(14);
	expect(episodes).toBeGreaterThan(1450);
	expect(episodes).toBeLessThan(1600);
	expect(new Set(sampleDatasets.map(dataset => dataset.program.robot.dims))).toEqual(new Set([6, 14, 26]));
	expect(new Set(sampleDatasets.map(dataset => dataset.program.task)).size).toBe(8);
});

test('names are ones the service takes, each once', () => {
	const names = sampleDatasets.map(dataset => dataset.name);
	expect(new Set(names).size).toBe(names.length);
	for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/);
});

test('tasks have siblings: several datasets of a task, one task on two robots', () => {
	const byTask = Map.groupBy(sampleDatasets, dataset => dataset.program.task);
	expect([...byTask.values()].filter(datasets => datasets.length > 1).length).toBeGreaterThanOrEqual(3);
	const robots = (datasets: readonly SampleDataset[]) =>
		new Set(datasets.map(({program}) => program.robot.type)).size;
	expect([...byTask.values()].some(datasets => robots(datasets) > 1)).toBe(true);
});

test('every fault is planted somewhere, on a minority of the episodes, one an episode', () => {
	const planted = sampleDatasets.flatMap(dataset => [...plantedFaults(dataset).values()]);
	expect(new Set(planted)).toEqual(new Set(Object.keys(faults)));
	for (const dataset of sampleDatasets) {
		const indices = [...plantedFaults(dataset).keys()];
		const counted = Object.values(dataset.faults).reduce((sum, count) => sum + count, 0);
		expect(indices).toHaveLength(counted);
		expect(counted / dataset.episodes).toBeLessThan(0.2);
		for (const index of indices) expect(index).toBeLessThan(dataset.episodes);
	}
});

test('every child dataset has its parent in the sample, with enough healthy episodes', () => {
	const children = sampleDatasets.filter(dataset => dataset.derivation);
	expect(children.length).toBeGreaterThanOrEqual(2);
	for (const {derivation, episodes, program} of children) {
		const parent = sampleDatasets.find(dataset => dataset.name === derivation?.parent);
		expect(parent?.program).toBe(program);
		const healthy = (parent?.episodes ?? 0) - (parent ? plantedFaults(parent).size : 0);
		expect(episodes / (derivation?.members ?? 1)).toBeLessThanOrEqual(healthy);
	}
});
