import type {CommandName} from './flags.ts';

/** A piece of the help, and the commands that it is about. */
type Piece = {readonly of: readonly CommandName[]; readonly text: string};

const title = 'lakescope: a terminal explorer for a lake of robot demonstrations';

const commands: readonly Piece[] = [
	{
		of: ['explore'],
		text: `  lakescope [DIR… | filter]    open the explorer; folders of datasets are
                               taken in first (without a terminal: a summary)`,
	},
	{
		of: ['open'],
		text: `  lakescope open LINK          the explorer at job:ID, dataset:ID, model:ID,
                               project:ID, upload:ID, episode:DATASET/INDEX`,
	},
	{
		of: ['episodes'],
		text: '  lakescope episodes [filter]  print episodes: a table, --json, --jsonl, --csv',
	},
	{of: ['datasets'], text: '  lakescope datasets           print the datasets: a table, or --json'},
	{
		of: ['jobs', 'models', 'projects', 'uploads'],
		text: `  lakescope jobs | models | projects | uploads
                               print those: a table, or --json`,
	},
	{
		of: ['finetune', 'augmentation', 'sync-status'],
		text: `  lakescope finetune ID | augmentation ID | sync-status ID
                               print how it stands; with --watch to its end`,
	},
	{of: ['events'], text: '  lakescope events             print events as they come, until ^C; --json'},
	{of: ['ingest'], text: '  lakescope ingest DIR…        take LeRobot datasets of this machine in'},
	{of: ['check'], text: '  lakescope check DIR…         what an upload would stumble over, or --json'},
	{
		of: ['upload'],
		text: '  lakescope upload DIR…        send datasets to the service, which takes them in',
	},
	{
		of: ['compose'],
		text: `  lakescope compose NAME FILTER
                               one new dataset of the episodes that it finds`,
	},
	{
		of: ['forget'],
		text: '  lakescope forget DATASET     take a dataset out of the lake',
	},
	{of: ['serve'], text: '  lakescope serve              run the embedded service in the foreground'},
	{
		of: ['api'],
		text: '  lakescope api METHOD PATH    any call of the interface; prints what it answers',
	},
	{of: ['key'], text: '  lakescope key                ask for a key and keep it (0600); --profile NAME'},
	{
		of: ['doctor'],
		text: `  lakescope doctor             what is configured, what answers, what breaks the
                               interface: lines, or --json`,
	},
];

const ofTheProgram = `  lakescope help [COMMAND]     this text, or that of one command; also --help
  lakescope --version          the program's version`;

const whichService = `Which service
  --url URL       a hosted service (LAKESCOPE_URL); its key is taken from
                  LAKESCOPE_API_KEY, a key file or the configuration
  --profile NAME  a service and account of the configuration (LAKESCOPE_PROFILE)
  --account ID    the account to act on (LAKESCOPE_ACCOUNT_ID)
  --lake DIR      the folder of the embedded service's lake (LAKESCOPE_LAKE)
  --sample        the sample lake of simulated arms
  --read-only     refuse whatever changes something`;

const options: readonly Piece[] = [
	{
		of: ['episodes'],
		text: `episodes
  --limit N       how many (50); more than a page holds are paged through
  --offset N      how many to skip
  --all           every episode, as it comes
  --raw           with --csv: texts byte for byte, also those that a
                  spreadsheet would run as a formula`,
	},
	{
		of: ['jobs', 'models', 'projects', 'uploads'],
		text: `jobs, models, projects, uploads
  --limit N       how many (50); more than a page holds are paged through`,
	},
	{
		of: ['finetune', 'augmentation', 'sync-status'],
		text: `finetune, augmentation, sync-status
  --watch         print every change until it has ended; the exit code tells
                  how: 0 completed or finalized, 1 otherwise
  --on-end CMD    then run CMD in a shell, with LAKESCOPE_KIND, LAKESCOPE_ID,
                  LAKESCOPE_STATE and LAKESCOPE_OUTCOME (good, bad)
  --json          the answer; with --watch one line a change`,
	},
	{
		of: ['ingest', 'check', 'upload'],
		text: `ingest, check, upload
  --name NAME     the dataset's name in the lake, for one dataset`,
	},
	{
		of: ['upload'],
		text: `upload
  --limit-rate N  bytes a second at most: 500K, 10M, 1G
  --force         send what is whole of a dataset that check finds faults in`,
	},
	{
		of: ['compose'],
		text: `compose
  --with-rejected
                  rejected episodes too, which are left out otherwise`,
	},
	{
		of: ['forget'],
		text: `forget
  --yes           without a question`,
	},
	{
		of: ['serve'],
		text: `serve
  --port N        the port to listen on; any that is free without it
  --listen ADDR   let other machines call at this address too, with
  --keys FILE     the keys of this file (0600): roles read, review and full
  --public-url URL
                  where others call, if a proxy stands before it
  --upload-quota SIZE
                  how much of uploads is stored at most: 500M, 20G`,
	},
	{
		of: ['api'],
		text: `api
  --input FILE    the body to send; - is the standard input`,
	},
];

const filter: Piece = {
	of: ['explore', 'episodes', 'compose'],
	text: `Filter
  tier:retrainable task:"fold the towel",wipe quality_score>=0.8
  max(action.gripper.pos)>50 towel -tag:suspect
  Keys: tier task interface marker dataset tag review index parent is order.
  -key:value leaves a value out. Other words are searched for as text.`,
};

const exitCodes = `Exit codes
  0 fine  1 failed  2 usage  3 not reachable  4 refused  5 interface broken`;

const texts = (pieces: readonly Piece[]) => pieces.map(({text}) => text);

const joined = (sections: readonly string[]) => `${sections.join('\n\n')}\n`;

/** What `--help` prints; no line is wider than 80 cells. */
export const usage = joined([
	title,
	['Usage', ...texts(commands), ofTheProgram].join('\n'),
	whichService,
	...texts(options),
	filter.text,
	exitCodes,
]);

/** What `lakescope COMMAND --help` prints: of the whole what is about that command. */
export function usageOf(command: CommandName): string {
	const about = (pieces: readonly Piece[]) => texts(pieces.filter(({of}) => of.includes(command)));
	return joined([
		['Usage', ...about(commands)].join('\n'),
		...about(options),
		whichService,
		...about([filter]),
		exitCodes,
		'lakescope --help tells of every command.',
	]);
}
