import path from 'node:path';

/** The exit code of a script that does not see its job's folder. */
export const unsharedCode = 73;

/** How long a node may take to see a folder that was just made on another machine, in seconds. */
export const sharedWithin = 60;

/** How long before the end of its hours a training is asked to end, in seconds: two minutes, or half of a short one. */
export function leadOf(minutes: number): number {
	return Math.min(120, minutes * 30);
}

/** The hours of a fine-tune as SLURM counts them. */
export const minutesOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60));

/**
 * SLURM looks at the times of its jobs every 30 s, and may ask one to end up to a minute early: a TERM this long before
 * the end of its hours is theirs, an earlier one is a cancellation.
 */
export const isLate = (ran: number, minutes: number): boolean => ran >= minutes * 60 - leadOf(minutes) - 90;

/** A word that a shell takes as it is. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** In place of the newest checkpoint's folder, which only the script knows when it begins. */
export const checkpointMark = '/@checkpoint@';

type Script = {
	/** The job's folder on the nodes. */
	readonly folder: string;
	readonly output: string;
	readonly marker: string;
	readonly log: string;
	readonly exitFile: string;
	/** The folder of the dataset on the nodes. */
	readonly dataset: string;
	readonly prologue: readonly string[];
	/** The commands that train from the beginning, and that resume from `checkpointMark`. */
	readonly fresh: readonly string[];
	readonly resume: readonly string[];
	/** Seconds that the folder is waited for. */
	readonly sharedWithin: number;
};

/**
 * The script that SLURM runs. Its first act is to make a folder named after the job: a second copy of it ends there, and
 * the same one begun again by SLURM (its id is the same) goes on from the newest checkpoint. It leaves
 * - `slurm-id` and a line of `runs` in that folder: its restart, the second of the node's clock, the node;
 * - `term` there: how many seconds it had run when it was asked to end;
 * - the trainer's exit code in the exit file.
 */
export function batchScript(script: Script): string {
	const words = (command: readonly string[]) =>
		command.map(word => quoted(word).replaceAll(checkpointMark, `'"$last"'`)).join(' ');
	return `#!/bin/bash
folder=${quoted(script.folder)}
marker=${quoted(script.marker)}
exit_file=${quoted(script.exitFile)}
seconds=0
until mkdir "$marker" 2>/dev/null; do
	if [ -d "$marker" ]; then
		owner=$(cat "$marker/slurm-id" 2>/dev/null)
		if [ -n "$owner" ] && [ "$owner" = "$SLURM_JOB_ID" ]; then break; fi
		if [ -z "$owner" ] && [ "\${SLURM_RESTART_COUNT:-0}" != 0 ]; then break; fi
		exit 0
	fi
	# A node may be slow to see a folder that is new.
	if [ "$seconds" -ge ${script.sharedWithin} ]; then exit ${unsharedCode}; fi
	seconds=$((seconds + 1))
	sleep 1
done
begun=$(date +%s)
rm -f "$exit_file" "$marker/term"
printf '%s\\n' "$SLURM_JOB_ID" >"$marker/slurm-id.part" && mv "$marker/slurm-id.part" "$marker/slurm-id"
printf '%s %s %s\\n' "\${SLURM_RESTART_COUNT:-0}" "$begun" "$(hostname)" >>"$marker/runs"
exec </dev/null >>${quoted(script.log)} 2>&1
finish() {
	trap '' TERM
	printf '%s\\n' "$1" >"$exit_file.part" && mv "$exit_file.part" "$exit_file"
	trap - EXIT
	exit "$1"
}
child=
terminate() {
	if [ ! -e "$marker/term" ]; then
		echo "[lakescope] $(date -u +%FT%TZ) SLURM asks it to end"
		printf '%s\\n' "$(($(date +%s) - begun))" >"$marker/term.part" && mv "$marker/term.part" "$marker/term"
	fi
	if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null; else finish 143; fi
}
trap terminate TERM
trap 'finish $?' EXIT
echo "[lakescope] $(date -u +%FT%TZ) SLURM job $SLURM_JOB_ID begins on $(hostname), restart \${SLURM_RESTART_COUNT:-0}"
cd "$folder" || exit ${unsharedCode}
if [ ! -d ${quoted(script.dataset)} ]; then
	echo ${quoted(`the dataset's folder ${script.dataset} is not on the node`)} "$(hostname): say under paths of the trainer where it is"
	exit 2
fi
export PYTHONUNBUFFERED=1
${script.prologue.join('\n')}
if last=$(cd -P ${quoted(path.posix.join(script.output, 'checkpoints/last'))} 2>/dev/null && pwd -P); then
	${words(script.resume)} &
else
	rm -rf ${quoted(script.output)}
	${words(script.fresh)} &
fi
child=$!
while :; do
	wait "$child"
	code=$?
	kill -0 "$child" 2>/dev/null && continue
	wait "$child" 2>/dev/null
	again=$?
	[ "$again" -ne 127 ] && code=$again
	# SLURM asks all processes of a job to end, and the trainer may hear of it first.
	sleep 0.5
	finish "$code"
done
`;
}
