import type {Client} from '../client/client.ts';
import type {CallOptions} from '../client/options.ts';
import type {Step} from './print/progress.ts';

/** The state of something that is followed. */
export type Outcome = 'under way' | 'good' | 'bad';

/** Something that moves by itself until it has ended, and what is said of it. */
export type Subject<Status> = {
	/** The command that follows it. */
	readonly kind: 'finetune' | 'augmentation' | 'sync-status';
	readonly id: string;
	read(client: Client, options: CallOptions): Promise<Status>;
	outcome(status: Status): Outcome;
	/** Its state in a word, as the service says it. */
	state(status: Status): string;
	/** All that is known, in lines. */
	report(status: Status, now: number): readonly string[];
	/** The changes since the last status, in lines; none if only counts moved. */
	news(before: Status, status: Status, now: number): readonly string[];
	/** For a bar. */
	step(status: Status): Step;
};
