import {createRandom} from '../source/sample/random.ts';
import {arms, type Base, type BenchEpisode, simulatedBase} from './judgement/arms.ts';
import {judged, type Prepared, prepare, type Verdict} from './judgement/judged.ts';
import {type Kind, kinds} from './judgement/kinds.ts';
import {auroc, mean, median, ranks, recallAt, spearman} from './judgement/measures.ts';
import {recordedBase, spansOf} from './judgement/recording.ts';

/**
 * The judgement on trial: each kind of fault (`judgement/kinds.ts`) is planted in 5 % and in 15 % of an otherwise healthy
 * group, in simulated arms of three embodiments and in warped copies of real recordings, and the program says which
 * episodes are odd. Options: `--seeds=one,two`, `--held-out` for all kinds with those kept apart, `--kind=TEXT`,
 * `--base=TEXT`, `--episodes=100`. LAKESCOPE_BENCH_RECORDINGS names folders of datasets, separated by colons.
 */
const options = new Map(
	process.argv.flatMap(argument => {
		const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/.exec(argument) ?? [];
		return name === undefined ? [] : [[name, value ?? '']];
	}),
);
const seeds = (options.get('seeds') ?? '1').split(',');
const episodes = Number(options.get('episodes') ?? 100);
const shares = [0.05, 0.15];

type Trial = {
	readonly kind: Kind;
	readonly base: string;
	readonly share: number;
	readonly odd: number;
	readonly quality: number;
	readonly called: number;
	readonly at5: number;
	readonly at1: number;
	/** Seconds between what the finding says and the fault, of those found with a moment. */
	readonly errors: readonly number[];
	/** Of those called that have a moment. */
	readonly found: number;
};

export async function run(): Promise<void> {
	const trials: Trial[] = [];
	const controls: Control[] = [];
	const lengths = {
		lengths: [] as number[],
		oddness: [] as number[],
		ranked: [[], []] as [number[], number[]],
		quality: [] as number[],
	};
	for (const seed of seeds) {
		for (const base of await bases(seed)) {
			const prepared = base.episodes.map(episode => prepare(episode, base));
			controls.push(control(base, prepared, lengths));
			for (const kind of kinds) {
				if (kind.heldOut && !options.has('held-out')) continue;
				if (!kind.name.includes(options.get('kind') ?? '')) continue;
				for (const share of shares) trials.push(trial(kind, base, prepared, share, seed));
			}
		}
		if (!options.has('kind'))
			for (const extra of await bases(`${seed}, clean`))
				controls.push(
					control(
						extra,
						extra.episodes.map(episode => prepare(episode, extra)),
						lengths,
					),
				);
	}
	printKinds(trials);
	printBases(trials, controls);
	printGoals(trials, controls, lengths);
}

async function bases(seed: string): Promise<Base[]> {
	const found = arms.map(
		arm => () => Promise.resolve(simulatedBase(arm, seed, episodes) as Base | undefined),
	);
	const folders = (process.env.LAKESCOPE_BENCH_RECORDINGS ?? '').split(':').filter(Boolean);
	if (folders.length === 0 && seed === seeds[0])
		console.log('Real recordings: skipped, since LAKESCOPE_BENCH_RECORDINGS names no folder of a dataset.');
	for (const folder of folders) found.push(() => recordedBase(folder, seed, episodes));
	const made: Base[] = [];
	for (const [place, make] of found.entries()) {
		const base = await make();
		if (!base)
			console.log(`Real recordings: skipped, since ${folders[place - arms.length]} holds no dataset.`);
		else if (base.name.includes(options.get('base') ?? '')) made.push(base);
	}
	return made;
}

function trial(kind: Kind, base: Base, prepared: readonly Prepared[], share: number, seed: string): Trial {
	const random = createRandom(`${seed}/${base.name}/${kind.name}/${share}`);
	const spans = spansOf(base.episodes, base.names.length);
	const grippers = new Set(base.grippers);
	// A joint that is used: it goes through a fifth of what the most used one does, in its own units' typical motion.
	const used = spans
		.map((span, joint) => ({joint, span}))
		.filter(
			({joint, span}) =>
				!grippers.has(joint) && span > 0.15 * Math.max(...spans.filter((_, each) => !grippers.has(each))),
		);
	const moving = shuffled(used, random).map(({joint}) => joint);
	const scene = {base, random, spans, moving};
	const places = shuffled([...base.episodes.keys()], random).slice(
		0,
		Math.round(share * base.episodes.length),
	);
	const planted = new Map(
		places.map(place => [place, kind.plant(base.episodes[place] as BenchEpisode, scene)]),
	);
	const group = prepared.map((each, place) => {
		const fault = planted.get(place);
		return fault ? prepare(fault.episode, base) : each;
	});
	const verdicts = judged(group, base);
	const isPlanted = (_: unknown, place: number) => planted.has(place);
	const split = (values: readonly number[]) =>
		[values.filter(isPlanted), values.filter((_, place) => !planted.has(place))] as const;
	const [odd, usual] = split(verdicts.map(({oddness}) => oddness));
	const [poor, good] = split(group.map(({quality}) => -(quality ?? 0)));
	const called = verdicts.filter(isPlanted).filter(({suspect}) => suspect).length;
	const located = [...planted].flatMap(([place, {moment, episode}]) => {
		const verdict = verdicts[place] as Verdict;
		return moment && verdict.suspect ? [distance(verdict.moment, moment, episode.frames / base.fps)] : [];
	});
	if (options.has('verbose')) {
		for (const [place] of planted)
			console.log(
				`  ${kind.name} | ${base.name} | ${share} | ${(verdicts[place] as Verdict).oddness.toFixed(2)} | ${(verdicts[place] as Verdict).reasons.slice(0, 2).join(' / ')}`,
			);
	}
	return {
		kind,
		base: base.name,
		share,
		odd: auroc(odd, usual),
		quality: auroc(poor, good),
		called: called / planted.size,
		at5: recallAt(0.05, odd, usual),
		at1: recallAt(0.01, odd, usual),
		errors: located,
		found: located.length,
	};
}

/** How far a moment is from a stretch of seconds; where there is none it counts as the whole episode. */
function distance(moment: number | null, [from, to]: readonly [number, number], length: number): number {
	if (moment === null) return length;
	return Math.max(0, from - moment, moment - to);
}

type Control = {readonly base: string; readonly called: number; readonly episodes: number};
type Lengths = {lengths: number[]; oddness: number[]; ranked: [number[], number[]]; quality: number[]};

function control(base: Base, prepared: readonly Prepared[], into: Lengths): Control {
	const verdicts = judged(prepared, base);
	const frames = base.episodes.map(each => each.frames);
	const odd = verdicts.map(({oddness}) => oddness);
	into.lengths.push(...frames);
	into.oddness.push(...odd);
	into.ranked[0].push(...ranks(frames));
	into.ranked[1].push(...ranks(odd));
	into.quality.push(...ranks(prepared.map(({quality}) => quality ?? 0)));
	if (options.has('verbose')) {
		for (const [place, {suspect, reasons, oddness}] of verdicts.entries())
			if (suspect)
				console.log(
					`  control ${base.name} #${place}: ${oddness.toFixed(2)} ${reasons.slice(0, 3).join(' / ')}`,
				);
	}
	return {base: base.name, called: verdicts.filter(({suspect}) => suspect).length, episodes: verdicts.length};
}

function shuffled<T>(values: readonly T[], random: {below: (count: number) => number}): T[] {
	const result = [...values];
	for (let place = result.length - 1; place > 0; place--) {
		const other = random.below(place + 1);
		[result[place], result[other]] = [result[other] as T, result[place] as T];
	}
	return result;
}

const two = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : '–');

function printKinds(trials: readonly Trial[]): void {
	console.log('| kind | AUROC 5 % | 15 % | called | recall at 5 % | at 1 % | s off | 1 − quality |');
	console.log('|---|---|---|---|---|---|---|---|');
	for (const [kind, own] of Map.groupBy(trials, each => each.kind)) {
		const of = (figure: (each: Trial) => number, share?: number) =>
			two(mean(own.filter(each => share === undefined || each.share === share).map(figure)));
		const errors = own.flatMap(each => each.errors);
		console.log(
			`| ${kind.name}${kind.heldOut ? ' (held out)' : ''} | ${of(({odd}) => odd, 0.05)} | ${of(({odd}) => odd, 0.15)} | ${of(({called}) => called)} | ${of(({at5}) => at5)} | ${of(({at1}) => at1)} | ${errors.length > 0 ? two(median(errors)) : '–'} | ${of(({quality}) => quality)} |`,
		);
	}
}

function printBases(trials: readonly Trial[], controls: readonly Control[]): void {
	console.log('\n| base | median AUROC | least | called of the clean |\n|---|---|---|---|');
	for (const [base, own] of Map.groupBy(controls, each => each.base)) {
		const kindMeans = [
			...Map.groupBy(
				trials.filter(each => each.base === base),
				each => each.kind,
			).values(),
		].map(each => mean(each.map(({odd}) => odd)));
		const called =
			own.reduce((sum, each) => sum + each.called, 0) / own.reduce((sum, each) => sum + each.episodes, 0);
		console.log(
			`| ${base} | ${two(median(kindMeans))} | ${two(Math.min(...kindMeans))} | ${(called * 100).toFixed(1)} % |`,
		);
	}
}

function printGoals(
	trials: readonly Trial[],
	controls: readonly Control[],
	{lengths, oddness, ranked, quality}: Lengths,
): void {
	const byKind = [...Map.groupBy(trials, each => each.kind)];
	const means = (figure: (each: Trial) => number, share?: number) =>
		byKind.map(([, own]) =>
			mean(own.filter(each => share === undefined || each.share === share).map(figure)),
		);
	const worst = (values: number[], least: boolean) => {
		const value = least ? Math.min(...values) : Math.max(...values);
		return `${two(value)} (${byKind[values.indexOf(value)]?.[0].name})`;
	};
	const odd = means(({odd}) => odd);
	const rare = means(({odd}) => odd, 0.05);
	const common = means(({odd}) => odd, 0.15);
	const gap = rare.map((value, place) => value - (common[place] as number));
	const alone = byKind.map(([kind, own]) =>
		kind.ofTheCollection ? 1 : mean(own.map(({quality}) => quality)),
	);
	const errors = trials.flatMap(each => each.errors);
	const within = errors.filter(error => error <= 1).length / errors.length;
	const called =
		controls.reduce((sum, each) => sum + each.called, 0) /
		controls.reduce((sum, each) => sum + each.episodes, 0);
	const recall5 = mean(means(({at5}) => at5));
	const recall1 = mean(means(({at1}) => at1));
	const pooled = spearman(oddness, lengths);
	const inGroups = spearman(ranked[1], ranked[0]);
	const rows: [string, string, boolean][] = [
		['median AUROC over the kinds ≥ 0.95', two(median(odd)), median(odd) >= 0.95],
		['no kind below 0.75', worst(odd, true), Math.min(...odd) >= 0.75],
		['recall ≥ 0.8 where 5 % of the healthy are called', two(recall5), recall5 >= 0.8],
		['recall ≥ 0.6 where 1 % are', two(recall1), recall1 >= 0.6],
		['≤ 3 % of the clean controls called', `${(100 * called).toFixed(1)} %`, called <= 0.03],
		['15 % found as well as 5 %, within 0.05', worst(gap, false), Math.max(...gap) <= 0.05],
		['the moment within 1 s for 80 % of what is found', two(within), within >= 0.8],
		[
			'1 − quality at least 0.5 for each kind of the episode alone',
			worst(alone, true),
			Math.min(...alone) >= 0.495,
		],
		[
			`Spearman of oddness with length within ±0.1, ${lengths.length} clean episodes`,
			`${two(pooled)}, by ranks within groups ${two(inGroups)}`,
			Math.abs(pooled) <= 0.1 && Math.abs(inGroups) <= 0.1,
		],
		['(Spearman of quality with length, by ranks within groups)', two(spearman(quality, ranked[0])), true],
	];
	console.log(`\nSeeds ${seeds.join(', ')}; ${byKind.length} kinds, ${episodes} episodes a group.`);
	console.log('| goal | measured | |\n|---|---|---|');
	for (const [goal, measured, met] of rows)
		console.log(`| ${goal} | ${measured} | ${met ? 'met' : 'not met'} |`);
	if (rows.some(([, , met]) => !met)) process.exitCode = 1;
}
