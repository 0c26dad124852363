import type {CommandLine, FlagName, Section} from './flags.ts';

/** A command, described once: name, help, flags and the code that runs it. */
export type Command = {
	readonly name: string;
	/** The form on the line after `lakescope`: `upload DIR…`. */
	readonly form: string;
	/** The lines of the help. Neighbours with the same summary share a line. */
	readonly summary: readonly string[];
	/** Its part of the help: commands that look at the lake come before those that change something. */
	readonly part: 'look' | 'do';
	/** The flags it takes besides the common ones. */
	readonly flags: readonly Section[];
	/** A further section of its help. */
	readonly help?: string;
	/** Loads its code and runs it. @returns the exit code */
	readonly run: (line: CommandLine) => Promise<number>;
};

/** Flags that the summary describes. */
const summed = (...flags: FlagName[]): Section => ({flags, isListed: false});

/** Flags with lines of their own. Commands that share such a section share its lines in the whole help. */
const listed = (...flags: FlagName[]): Section => ({flags, isListed: true});

const name = listed('name');
const pageOf = listed('limit');
const watching = listed('watch', 'on-end', 'json');

const filter = `Filter
  tier:retrainable task:"fold the towel",wipe quality_score>=0.8
  max(action.gripper.pos)>50 towel -tag:suspect
  Keys: tier task interface marker dataset tag review index parent is order.
  -key:value excludes a value. Other words are searched as text.`;

const listing = {summary: ['print the list: a table, or --json'], part: 'look'} as const;
const status = {summary: ['print the status; --watch follows it to its end'], part: 'look'} as const;

/** The action without a command. */
export const explore: Command = {
	name: 'explore',
	form: '[DIR… | filter]',
	summary: ['open the explorer; folders of datasets are', 'ingested first (without a terminal: a summary)'],
	part: 'look',
	flags: [],
	help: filter,
	run: async line => (await import('./open.ts')).open(line, commandNames),
};

/** The commands that have a name. The code of one is loaded when it runs. */
export const commands: readonly Command[] = [
	{
		name: 'open',
		form: 'open LINK',
		summary: [
			'open job:ID, dataset:ID, model:ID, project:ID,',
			'upload:ID, episode:DATASET/INDEX in the explorer',
		],
		part: 'look',
		flags: [],
		run: async line => (await import('./open-link.ts')).openLink(line),
	},
	{
		name: 'episodes',
		form: 'episodes [filter]',
		summary: ['print episodes: a table, --json, --jsonl, --csv'],
		part: 'look',
		flags: [summed('json', 'jsonl', 'csv', 'yes'), listed('parquet', 'limit', 'offset', 'all', 'raw')],
		help: filter,
		run: async line => (await import('./episodes.ts')).episodes(line),
	},
	{
		name: 'triage',
		form: 'triage [DIR… | filter]',
		summary: [
			'print the suspect episodes, the worst first, with',
			'what is wrong, where and when; --json, --jsonl',
		],
		part: 'look',
		flags: [summed('json', 'jsonl'), listed('fail-on')],
		help: filter,
		run: async line => (await import('./triage.ts')).triage(line),
	},
	{
		name: 'datasets',
		form: 'datasets',
		summary: ['print the datasets: a table, or --json'],
		part: 'look',
		flags: [summed('json')],
		run: async line => (await import('./datasets.ts')).datasets(line),
	},
	{
		name: 'ingest',
		form: 'ingest DIR…',
		summary: ['ingest LeRobot datasets of this machine'],
		part: 'do',
		flags: [name],
		run: async line => (await import('./ingest.ts')).ingest(line),
	},
	{
		name: 'check',
		form: 'check DIR…',
		summary: ['check datasets before an upload; --json'],
		part: 'do',
		flags: [name, summed('json')],
		run: async line => (await import('./check.ts')).check(line),
	},
	{
		name: 'repair',
		form: 'repair DIR [ID…]',
		summary: [
			'repair what check finds in a dataset: all that is',
			'safe, or the damages named; with an undo',
		],
		part: 'do',
		flags: [listed('dry-run', 'undo', 'rename-task', 'rename-feature'), listed('yes')],
		run: async line => (await import('./repair.ts')).repair(line),
	},
	{
		name: 'upload',
		form: 'upload DIR…',
		summary: ['send datasets to the service, which ingests them'],
		part: 'do',
		flags: [name, listed('limit-rate', 'force')],
		run: async line => (await import('./upload.ts')).upload(line),
	},
	{
		name: 'compose',
		form: 'compose NAME FILTER',
		summary: ['write a new dataset of the episodes that match'],
		part: 'do',
		flags: [listed('to', 'repo-id', 'from', 'dry-run', 'with-rejected')],
		help: filter,
		run: async line => (await import('./compose.ts')).compose(line),
	},
	{
		name: 'forget',
		form: 'forget DATASET',
		summary: ['remove a dataset from the lake'],
		part: 'do',
		flags: [listed('yes')],
		run: async line => (await import('./forget.ts')).forget(line),
	},
	{
		name: 'serve',
		form: 'serve',
		summary: ['run the embedded service in the foreground'],
		part: 'do',
		flags: [listed('port', 'listen', 'keys', 'public-url', 'upload-quota')],
		run: async line => (await import('./serve.ts')).serve(line),
	},
	{
		name: 'api',
		form: 'api METHOD PATH',
		summary: ['call any endpoint and print the response'],
		part: 'do',
		flags: [listed('input')],
		run: async line => (await import('./api.ts')).api(line),
	},
	{
		name: 'key',
		form: 'key',
		summary: ['ask for a key and store it (0600); --profile NAME'],
		part: 'do',
		flags: [],
		run: async line => (await import('./key.ts')).key(line),
	},
	{
		name: 'doctor',
		form: 'doctor',
		summary: ['check configuration, service and responses:', 'a table, or --json'],
		part: 'do',
		flags: [summed('json')],
		run: async line => (await import('./doctor.ts')).doctor(line),
	},
	{
		name: 'jobs',
		form: 'jobs',
		...listing,
		flags: [summed('json'), pageOf],
		run: async line => (await import('./jobs.ts')).jobs(line),
	},
	{
		name: 'models',
		form: 'models',
		...listing,
		flags: [summed('json'), pageOf],
		run: async line => (await import('./models.ts')).models(line),
	},
	{
		name: 'projects',
		form: 'projects',
		...listing,
		flags: [summed('json'), pageOf],
		run: async line => (await import('./projects.ts')).projects(line),
	},
	{
		name: 'uploads',
		form: 'uploads',
		...listing,
		flags: [summed('json'), pageOf],
		run: async line => (await import('./uploads.ts')).uploads(line),
	},
	{
		name: 'finetune',
		form: 'finetune ID',
		...status,
		flags: [watching],
		run: async line => (await import('./finetune.ts')).finetune(line),
	},
	{
		name: 'augmentation',
		form: 'augmentation ID',
		...status,
		flags: [watching],
		run: async line => (await import('./augmentation.ts')).augmentation(line),
	},
	{
		name: 'sync-status',
		form: 'sync-status ID',
		...status,
		flags: [watching],
		run: async line => (await import('./sync-status.ts')).syncStatus(line),
	},
	{
		name: 'events',
		form: 'events',
		summary: ['print events as they come, until ^C; --json'],
		part: 'look',
		flags: [summed('json')],
		run: async line => (await import('./events.ts')).events(line),
	},
];

export const commandNames: readonly string[] = commands.map(each => each.name);

/** The command of that name. */
export function commandOf(word: string | undefined): Command | undefined {
	return commands.find(each => each.name === word);
}
