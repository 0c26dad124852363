import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {stat} from 'node:fs/promises';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import * as z from 'zod';
import type {EditDataset, TrainerOptions} from '../../../contract/local-jobs.ts';
import {readShaped, writeDocument} from '../../../files/document.ts';
import {places} from '../../../files/places.ts';
import {underUmask, withoutSecrets} from '../../workers/child-environment.ts';
import {killGroup} from '../../workers/process-facts.ts';
import {type InstalledPackage, installedPackage, readConfigurations} from '../lerobot/installed.ts';
import {type Lerobot, releaseByFlags, releaseOf, unknownLerobot} from '../vla/releases.ts';
import {findBeside, findTrainer} from './find-trainer.ts';
import type {TrainerFinding} from './trainer.ts';

/** A trainer imports all of torch before it says anything. */
const boundMs = 120_000;
/** The longest wait for an answer, as a client waits no longer; a later request gets it. */
const patienceMs = 10_000;
/** Bytes of a help text that are looked at. */
const mostHelp = 1024 * 1024;
/** A trainer that is installed in place changes without its command doing so. */
const rememberedMs = 7 * 24 * 3600 * 1000;

const option = '--dataset.exclude_episodes';

/** Trainers whose answers are kept: a person has a few. */
const mostAsked = 8;

const remembered = z.looseObject({trainer: z.string(), flags: z.array(z.string()), at: z.number()});

/** The names of a trainer's flags; undefined for one that does not tell. */
type Flags = ReadonlySet<string> | undefined;

/** A program's help: the file in which what it says is kept, and what is read of it. */
type Help = {readonly keptIn: string; readonly flagsOf: (text: string) => Flags};

const trainerHelp: Help = {keptIn: 'trainer-options.json', flagsOf};

const editProgram = 'lerobot-edit-dataset';

/** Its flags and, as words without hyphens, its operations. */
const editHelp: Help = {
	keptIn: 'edit-dataset-options.json',
	flagsOf(text) {
		const choices = text.match(/--operation\.type[ =]?\{([\w,\s]+)\}/)?.[1];
		if (choices === undefined) return undefined;
		const flags = (text.match(/--[a-z][\w.]*/g) ?? []).map(name => name.replace(/\.$/, ''));
		return new Set([...flags, ...choices.split(',').map(name => name.trim())]);
	},
};

/** Which LeRobot a trainer is, and the options it has: by its package's metadata, and by `--help`, once a version. */
export class TrainerHelp {
	/** By trainer: the question under way, or its answer. */
	readonly #asked = new Map<string, Promise<Flags>>();
	/** By package: what its files say. */
	readonly #read = new Map<string, Promise<Lerobot>>();
	readonly #boundMs: number;
	readonly #patienceMs: number;

	constructor(bounds: {boundMs?: number; patienceMs?: number} = {}) {
		this.#boundMs = bounds.boundMs ?? boundMs;
		this.#patienceMs = bounds.patienceMs ?? patienceMs;
	}

	/** The options of the trainer and of `lerobot-edit-dataset`. */
	async options(): Promise<TrainerOptions> {
		const finding = await findTrainer();
		const [trainer, edit_dataset] = await Promise.all([
			this.#trainerOptions(finding),
			this.#editDataset(finding.kind === 'found' ? finding.command : []),
		]);
		return {...trainer, edit_dataset};
	}

	async #editDataset(trainer: readonly string[]): Promise<EditDataset> {
		const none = {operations: null, flags: null, is_asking: false};
		const file = await findBeside(trainer, editProgram);
		if (file === undefined) return {...none, message: `There is no ${editProgram} on this machine.`};
		const [flags, found] = await Promise.all([this.#patiently([file], editHelp), installedPackage(file)]);
		const name = found === undefined ? file : `${editProgram} of LeRobot ${found.version}`;
		if (flags === 'asking') return {...none, is_asking: true, message: `${name} is asked for its options.`};
		if (flags === undefined) return {...none, message: `${name} does not say which options it has.`};
		const isOperation = (word: string) => !word.startsWith('--');
		return {
			operations: [...flags].filter(isOperation),
			flags: [...flags].filter(word => !isOperation(word)),
			is_asking: false,
			message: name,
		};
	}

	async #trainerOptions(finding: TrainerFinding): Promise<TrainerOptions> {
		if (finding.kind !== 'found') {
			return {exclude_episodes: null, is_asking: false, message: finding.message};
		}
		const flags = await this.#patiently(finding.command);
		if (flags === 'asking') {
			return {exclude_episodes: null, is_asking: true, message: 'The trainer is asked for its options.'};
		}
		const knows = flags?.has(option);
		return {exclude_episodes: knows ?? null, is_asking: false, message: sentenceOf(knows)};
	}

	/**
	 * The LeRobot that a command belongs to: `asking` while only its flags could tell and they are not known yet, and
	 * undefined for one that tells neither by its package nor by its flags.
	 *
	 * @param wait for its flags: not at all, as long as a client waits, or as long as it takes
	 */
	async lerobot(
		command: readonly string[],
		wait: 'none' | 'some' | 'all' = 'some',
	): Promise<Lerobot | 'asking' | undefined> {
		const found = await installedPackage(command[0] ?? '');
		if (found) return this.#readOnce(found);
		if (wait === 'none') return undefined;
		const flags = await (wait === 'all' ? this.#ask(command) : this.#patiently(command));
		if (flags === 'asking' || flags === undefined) return flags;
		return {...unknownLerobot, release: releaseByFlags(flag => flags.has(`--${flag}`))};
	}

	#readOnce({version, metadata, writtenMs, folder}: InstalledPackage): Promise<Lerobot> {
		const key = `${metadata} ${writtenMs}`;
		const read = async () => ({
			version,
			release: releaseOf(version),
			configurations: folder === undefined ? undefined : await readConfigurations(folder),
		});
		const known = this.#read.get(key) ?? read();
		keepNewest(this.#read, key, known);
		return known;
	}

	async #patiently(command: readonly string[], help = trainerHelp): Promise<Flags | 'asking'> {
		const answer = this.#ask(command, help);
		const waiting = new AbortController();
		const patience = delay(this.#patienceMs, 'asking' as const, {signal: waiting.signal}).catch(
			() => undefined,
		);
		const flags = await Promise.race([answer, patience]);
		waiting.abort();
		return flags;
	}

	async #ask(command: readonly string[], help = trainerHelp): Promise<Flags> {
		const trainer = await versionOf(command);
		const known = this.#asked.get(trainer) ?? this.#answer(trainer, command, help);
		keepNewest(this.#asked, trainer, known);
		return known;
	}

	async #answer(trainer: string, command: readonly string[], help: Help): Promise<Flags> {
		const file = path.join(places().cache, help.keptIn);
		const kept = await readShaped(file, remembered);
		if (kept?.trainer === trainer && Date.now() - kept.at < rememberedMs) return new Set(kept.flags);
		const flags = help.flagsOf(await helpOf(command, this.#boundMs));
		if (flags !== undefined) await writeDocument(file, {trainer, flags: [...flags], at: Date.now()});
		return flags;
	}
}

/** Puts an entry last, and forgets the first where there are many. */
function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
	map.delete(key);
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > mostAsked && oldest !== undefined) map.delete(oldest);
}

function sentenceOf(knows: boolean | undefined): string {
	if (knows === undefined) return 'The trainer on this machine does not say which options it has.';
	return `The trainer on this machine ${knows ? 'knows' : 'does not know'} ${option}.`;
}

/** The command, which file it is, and which package it is of: an installation of another version writes them anew. */
async function versionOf(command: readonly string[]): Promise<string> {
	const facts = await stat(command[0] ?? '').catch(() => undefined);
	const found = await installedPackage(command[0] ?? '');
	const text = JSON.stringify([command, facts?.size, facts?.mtimeMs, found?.version, found?.writtenMs]);
	return createHash('sha256').update(text).digest('hex');
}

/** @returns undefined for a text that is no list of a trainer's options */
function flagsOf(help: string): Flags {
	if (!/--dataset\.\w/.test(help)) return undefined;
	// The policies' own are many, and nothing is told by them.
	const names = (help.match(/--[a-z][\w.]*/g) ?? []).filter(name => !/^--policy\.(?!type$)/.test(name));
	return new Set(names.map(name => name.replace(/\.$/, '')));
}

/** The output of a command's `--help`, as far as it gets within the bound. */
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
