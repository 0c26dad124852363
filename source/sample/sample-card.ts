import {readFile, stat} from 'node:fs/promises';
import path from 'node:path';
import {infoPath} from '../lerobot/layout.ts';
import {plantedFaults, type SampleDataset, sampleSeed} from './datasets.ts';
import {type Fault, faults} from './faults.ts';
import {pictureSize} from './robots.ts';

/**
 * True for a folder that holds this dataset in today's version. The card names the seed and the content: a dataset that has it, and
 * its info, is this one.
 */
export async function isWritten(target: string, dataset: SampleDataset): Promise<boolean> {
	const card = await readFile(path.join(target, 'README.md'), 'utf8').catch(() => undefined);
	return card === sampleCard(dataset) && (await isThere(path.join(target, infoPath)));
}

/** True if there is a file or folder. */
export async function isThere(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}

/** Stands in the card of every dataset of the sample, of whatever version, and in no other's. */
export const sampleMark = 'Sample data, simulated by lakescope';

/** The dataset card (README.md) of a dataset of the sample. */
export function sampleCard(dataset: SampleDataset): string {
	const {name, description, program, episodes} = dataset;
	const {robot, task} = program;
	return `---
tags:
- LeRobot
- simulated
- sample
---

# ${name}

**${sampleMark} (seed “${sampleSeed}”).** No robot recorded it: do not train on it and do not publish it as real.

${description}

- Task: ${task}
- Robot: ${robot.type}, ${robot.dims} dimensions, ${robot.fps} frames a second, simulated
- Episodes: ${episodes}
- Cameras: ${Object.keys(robot.cameras).join(', ')}, drawn from the simulated joints in ${pictureSize.width} × ${pictureSize.height} pixels
${dataset.derivation ? `- Parent: ${dataset.derivation.parent}, by ${dataset.derivation.by}\n` : ''}
## Faults planted on purpose

${faultTable(dataset)}
`;
}

function faultTable(dataset: SampleDataset): string {
	const byFault = new Map<Fault, number[]>();
	for (const [episode, fault] of plantedFaults(dataset)) {
		byFault.set(fault, [...(byFault.get(fault) ?? []), episode]);
	}
	if (byFault.size === 0) return 'None.';
	const rows = [...byFault].map(
		([fault, episodes]) => `| ${fault} | ${faults[fault]} | ${episodes.sort((a, b) => a - b).join(', ')} |`,
	);
	return ['| Fault | What it looks like | Episodes |', '|---|---|---|', ...rows].join('\n');
}
