import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {stat} from 'node:fs/promises';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import * as z from 'zod';
import type {TrainerOptions} from '../../../contract/local-jobs.ts';
import {readShaped, writeDocument} from '../../../files/document.ts';
import {places} from '../../../files/places.ts';
import {underUmask, withoutSecrets} from '../../workers/child-environment.ts';
import {killGroup} from '../../workers/process-facts.ts';
import {findTrainer} from './find-trainer.ts';

/** A trainer imports all of torch before it says anything. */
const boundMs = 120_000;
/** An answer is not waited for longer, as a client would not; whoever asks again has it. */
const patienceMs = 10_000;
/** Bytes of a help text that are looked at. */
const mostHelp = 1024 * 1024;
/** A trainer that is installed in place changes without its command doing so. */
const rememberedMs = 7 * 24 * 3600 * 1000;

const option = '--dataset.exclude_episodes';

/** Trainers whose answers are kept: a person has a few. */
const mostAsked = 8;

const remembered = z.looseObject({trainer: z.string(), knows: z.boolean(), at: z.number()});

/** What this machine's trainer says of its options, asked by `--help` once a version. */
export class TrainerHelp {
	/** By trainer: the question under way, or its answer; undefined for one that does not tell. */
	readonly #asked = new Map<string, Promise<boolean | undefined>>();
	readonly #boundMs: number;
	readonly #patienceMs: number;

	constructor(bounds: {boundMs?: number; patienceMs?: number} = {}) {
		this.#boundMs = bounds.boundMs ?? boundMs;
		this.#patienceMs = bounds.patienceMs ?? patienceMs;
	}

	async options(): Promise<TrainerOptions> {
		const finding = await findTrainer();
		if (finding.kind !== 'found') {
			return {exclude_episodes: null, is_asking: false, message: finding.message};
		}
		const answer = this.#ask(finding.command);
		const waiting = new AbortController();
		const patience = delay(this.#patienceMs, 'asking' as const, {signal: waiting.signal}).catch(
			() => undefined,
		);
		const knows = await Promise.race([answer, patience]);
		waiting.abort();
		if (knows === 'asking') {
			return {exclude_episodes: null, is_asking: true, message: 'The trainer is asked for its options.'};
		}
		return {exclude_episodes: knows ?? null, is_asking: false, message: sentenceOf(knows)};
	}

	async #ask(command: readonly string[]): Promise<boolean | undefined> {
		const trainer = await versionOf(command);
		const known = this.#asked.get(trainer) ?? this.#answer(trainer, command);
		this.#asked.set(trainer, known);
		const [oldest] = this.#asked.keys();
		if (this.#asked.size > mostAsked && oldest !== undefined) this.#asked.delete(oldest);
		return known;
	}

	async #answer(trainer: string, command: readonly string[]): Promise<boolean | undefined> {
		const file = path.join(places().cache, 'trainer-options.json');
		const kept = await readShaped(file, remembered);
		if (kept?.trainer === trainer && Date.now() - kept.at < rememberedMs) return kept.knows;
		const knows = knownBy(await helpOf(command, this.#boundMs));
		if (knows !== undefined) await writeDocument(file, {trainer, knows, at: Date.now()});
		return knows;
	}
}

function sentenceOf(knows: boolean | undefined): string {
	if (knows === undefined) return 'The trainer on this machine does not say which options it has.';
	return `The trainer on this machine ${knows ? 'knows' : 'does not know'} ${option}.`;
}

/** The command, and which file it is: an installation of another version writes it anew. */
async function versionOf(command: readonly string[]): Promise<string> {
	const facts = await stat(command[0] ?? '').catch(() => undefined);
	const text = JSON.stringify([command, facts?.size, facts?.mtimeMs]);
	return createHash('sha256').update(text).digest('hex');
}

/** @returns undefined for a text that is no list of a trainer's options */
function knownBy(help: string): boolean | undefined {
	if (!/--dataset\.\w/.test(help)) return undefined;
	return new RegExp(`${option.replace('.', '\\.')}(?![\\w.])`).test(help);
}

/** What a command prints for `--help`, as far as it gets within the bound. */
async function helpOf(command: readonly string[], bound: number): Promise<string> {
	const [file = '', ...words] = underUmask([...command, '--help']);
	const child = spawn(file, words, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: withoutSecrets(),
	});
	let help = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (chunk: string) => {
			if (help.length < mostHelp) help += chunk;
		});
	}
	await new Promise<void>(resolve => {
		const end = () => {
			clearTimeout(timer);
			if (child.pid !== undefined) killGroup(child.pid);
			child.stdout.destroy();
			child.stderr.destroy();
			process.removeListener('exit', end);
			resolve();
		};
		const timer = setTimeout(end, bound);
		process.once('exit', end);
		child.once('error', end);
		child.once('close', end);
	});
	return help;
}
