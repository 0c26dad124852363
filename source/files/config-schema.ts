import * as z from 'zod';

/** From where on an episode is called unlike its siblings (ARCHITECTURE.md, "Siblings"). */
export const doubtThresholds = z.strictObject({
	siblings: z.int().min(3).max(10_000).optional(),
	whole: z.number().min(1).max(100).optional(),
	channel: z.number().min(1).max(100).optional(),
});
export type DoubtThresholds = z.output<typeof doubtThresholds>;

/** A name of a profile: it is a part of a file's name too. */
export const profileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
	error: 'a profile is named by letters, digits, dots, underscores and hyphens',
});

/** One word for `sbatch`: no spaces or control characters, and nothing that reads as another option. */
const slurmWord = z
	.string()
	.regex(/^[^\s\p{Cc}-][^\s\p{Cc}]{0,255}$/u, {error: 'it is one word without spaces'});

const absolutePath = z.string().regex(/^\/[^\p{Cc}]{0,4095}$/u, {error: 'it is an absolute path'});

/** Fine-tunes as jobs of a SLURM cluster, whose commands (`sbatch`, `squeue`, `scancel`) this machine has. */
export const slurmTrainer = z.strictObject({
	kind: z.literal('slurm', {error: 'its kind is "slurm"'}),
	/** One, or several with commas between them; a fine-tune's `region` chooses one. */
	partition: slurmWord.optional(),
	account: slurmWord.optional(),
	gres: slurmWord.optional(),
	qos: slurmWord.optional(),
	constraint: slurmWord.optional(),
	memory: slurmWord.optional(),
	cpus: z.int().min(1).max(100_000).optional(),
	/** Lines of bash before the trainer, as `module load cuda`. */
	prologue: z.array(z.string().max(4096)).max(200).optional(),
	/** A folder that this machine and the nodes share. */
	sharedDir: absolutePath,
	/** Where folders of this machine lie on the nodes, if elsewhere: the prefix here, and the prefix there. */
	paths: z.record(absolutePath, absolutePath).optional(),
	/** The command on the nodes; `lerobot-train` without it. */
	command: z.array(z.string().min(1)).min(1).optional(),
	/** The version of LeRobot on the nodes; the newest without it. */
	lerobot: z
		.string()
		.regex(/^\d+\.\d+\.\d+/, {error: 'a version is written as 0.6.1'})
		.optional(),
});
export type SlurmSettings = z.output<typeof slurmTrainer>;

/** A fine-tune names its trainer by this, as `instance_type`; "local" is this machine. */
const trainerName = z.string().regex(/^(?!local$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
	error: 'a trainer is named by letters, digits, dots, underscores and hyphens, and not "local"',
});

const thumbHost = z.string().regex(/^(?:[A-Za-z0-9._-]{1,253}|\[?[0-9A-Fa-f:.]{2,45}\]?)$/, {
	error: 'a host is a name such as minio.lab or an address such as 10.0.0.7, without a scheme and a port',
});

/** Entries that choose service and account, and how they may be used. */
const serviceEntries = {
	/** The service's address; the embedded service without it. */
	url: z.string().min(1),
	/** The account to act on. */
	account: z.string().min(1),
	/** The lake's folder. */
	lake: z.string().min(1),
	/** The key; better in the key file, which the configuration may then be shown without. */
	key: z.string().min(1),
	/** A file that holds the key. */
	keyFile: z.string().min(1),
	/** A file with certificates (PEM) to trust besides the system's. */
	caFile: z.string().min(1),
	/** Send the key over plain http to other machines too. */
	allowHttp: z.boolean(),
	/** Hosts besides the service's own that pictures (`thumb_url`) may lie on though their address is a private one. */
	thumbHosts: z.array(thumbHost).max(100),
	/** Refuse all changes. */
	readOnly: z.boolean(),
};

/** The entries of one profile. */
export const profileEntries = z.strictObject(serviceEntries).partial();

/** The configuration's entries. Each is read by itself, so that a wrong one costs no other. */
export const configEntries = {
	...serviceEntries,
	/** The profile that is used where none is named. */
	profile: profileName,
	/** Services and accounts by name. */
	profiles: z.record(profileName, profileEntries),
	/** The command that trains on this machine; `lerobot-train` on the PATH without it. */
	trainer: z.string().min(1),
	/** Trainers on other machines, by name. */
	trainers: z.record(trainerName, slurmTrainer),
	/** Ring the terminal's bell when an upload or a job ends. */
	bell: z.boolean(),
	/** Show in the terminal's title how many operations run. */
	title: z.boolean(),
	/** From where on an ingest calls an episode suspect. */
	doubt: doubtThresholds,
	/** Keys of actions in place of their own: `{"episodes.next": ["ctrl+n", "down"]}`; an empty list takes them away. */
	keys: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
	/** Take the mouse from the terminal; the default. */
	mouse: z.boolean(),
	/** How pictures are shown: as the terminal answers, in one fixed way, or not at all. */
	pictures: z.enum(['auto', 'kitty', 'iterm2', 'sixel', 'blocks', 'off']),
};

export type Config = {readonly [Name in keyof typeof configEntries]?: z.output<(typeof configEntries)[Name]>};
