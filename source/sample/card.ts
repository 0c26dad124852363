import {plantedFaults, type SampleDataset, sampleSeed} from './datasets.ts';
import {type Fault, faults} from './faults.ts';

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
- Cameras: ${Object.keys(robot.cameras).join(', ')}. They are declared, but their video files are absent.
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
