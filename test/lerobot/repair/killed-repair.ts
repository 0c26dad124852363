import {repairDataset, undoRepair} from '../../../source/lerobot/repair/repair.ts';

/** Repairs a dataset, or takes a repair back, and kills itself at a step: `node killed-repair.ts DIR repair|undo STEP`. */
const [folder = '', what, step] = process.argv.slice(2);
let passed = 0;
const onStep = () => {
	if (passed++ === Number(step)) process.kill(process.pid, 'SIGKILL');
};
if (what === 'undo') await undoRepair(folder, onStep);
else
	await repairDataset(
		folder,
		{ids: ['episode-gap', 'task-order', 'splits-wrong', 'leftover-temporary']},
		onStep,
	);
