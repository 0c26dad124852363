import {compareCourses, type GroupTemplate} from './courses.ts';
import {type DeviationKind, Deviations, type DeviationsByKind, ofFollowing} from './deviations.ts';
import {spaced} from './modes.ts';
import type {ChannelPair, ComparedProfile, Stream, StreamProfile} from './profile.ts';
import {coreScatterOf, quantile, sortedFinite, tailedScatterOf} from './robust.ts';
import {type Scales, scalesOf} from './scales.ts';

/** Episodes of which templates and scales are made. */
export const sampled = 96;

/** Sets the episodes of a group beside each other: how far each is from the others, in each way, in their spreads. */
export function compareProfiles(
	profiles: readonly ComparedProfile[],
	pairs: readonly ChannelPair[],
	parts: number,
): {
	readonly deviations: DeviationsByKind;
	readonly template: GroupTemplate | undefined;
	readonly scales: Record<Stream, Scales>;
} {
	const result = new Map<DeviationKind, Deviations>();
	const begin = (kind: DeviationKind): Deviations => {
		const deviations = new Deviations(profiles.length, ofFollowing.has(kind));
		result.set(kind, deviations);
		return deviations;
	};
	const sample = spaced(profiles.length, sampled);
	const dims = {
		action: profiles.find(({action}) => action)?.action?.dims ?? 0,
		state: profiles.find(({state}) => state)?.state?.dims ?? 0,
	};
	const scales = {
		action: scalesOf(
			sample.map(at => profiles[at]?.action ?? null),
			dims.action,
			parts,
		),
		state: scalesOf(
			sample.map(at => profiles[at]?.state ?? null),
			dims.state,
			parts,
		),
	};
	const group = {profiles, values: new Float64Array(profiles.length)};
	compareWhole(group, begin);
	compareChannels(group, dims, pairs, scales, begin);
	comparePairs(group, pairs, scales.action, begin);
	const template = compareCourses({profiles, dims, scales, pairs, parts, sample}, begin);
	return {deviations: result, template, scales};
}

type Group = {readonly profiles: readonly ComparedProfile[]; readonly values: Float64Array};
type Figure = (profile: ComparedProfile) => number;

/** Sets one figure of all episodes beside each other. @param floor the least spread */
function compare(
	{profiles, values}: Group,
	into: Deviations,
	channel: number,
	floor: number,
	of: Figure,
	where?: Figure,
): void {
	for (let at = 0; at < profiles.length; at++) values[at] = of(profiles[at] as ComparedProfile);
	const {median, below, above} = into.isOfFollowing ? coreScatterOf(values, floor) : tailedScatterOf(values);
	for (let at = 0; at < profiles.length; at++) {
		const value = values[at] as number;
		const raised = into.raise(at, channel, value, median, Math.max(floor, value > median ? above : below));
		if (!raised || !where) continue;
		const place = where(profiles[at] as ComparedProfile);
		into.place(at, place, place);
	}
}

function compareWhole(group: Group, begin: (kind: DeviationKind) => Deviations): void {
	compare(group, begin('duration'), -1, 0.05, ({whole}) => Math.log(whole.seconds));
	compare(group, begin('pause'), -1, 0.3, ({whole}) => whole.pause);
	compare(
		group,
		begin('dropped-frames'),
		-1,
		0.2,
		({whole}) => whole.droppedFrames,
		({whole}) => whole.droppedAt,
	);
	compare(group, begin('camera-skew'), -1, 0.02, ({whole}) => whole.cameraSkew);
}

/** A leap below this share of a channel's scale is none; one of the state that its action makes too is none either. */
const leastLeap = 0.02;
const leastIdleLeap = 0.1;

function compareChannels(
	group: Group,
	dims: Record<Stream, number>,
	pairs: readonly ChannelPair[],
	scales: Record<Stream, Scales>,
	begin: (kind: DeviationKind) => Deviations,
): void {
	const leaders = new Map(pairs.map(({action, state}) => [state, action]));
	const [start, end, low, high, path] = [
		begin('start'),
		begin('end'),
		begin('low'),
		begin('high'),
		begin('path'),
	];
	for (const stream of ['action', 'state'] as const) {
		const [rough, jump, spike, held] = [
			begin(`${stream}-rough`),
			begin(`${stream}-jump`),
			begin(`${stream}-spike`),
			begin(`${stream}-held`),
		];
		for (let channel = 0; channel < dims[stream]; channel++) {
			const unit = scales[stream].scale[channel] as number;
			const isIdle = scales[stream].isIdle[channel];
			const of =
				(name: keyof StreamProfile['figures']): Figure =>
				profile =>
					profile[stream]?.figures[name][channel] ?? Number.NaN;
			const log =
				(name: keyof StreamProfile['figures'], least: number): Figure =>
				profile =>
					Math.log(Math.max(profile[stream]?.figures[name][channel] ?? Number.NaN, least * unit));
			const share =
				(name: keyof StreamProfile['figures']): Figure =>
				profile =>
					(profile[stream]?.figures[name][channel] ?? Number.NaN) / profile.frames;
			if (stream === 'state' || dims.state === 0) {
				compare(group, start, channel, 0.02 * unit, of('start'), () => 0);
				compare(group, end, channel, 0.02 * unit, of('end'), () => 1);
			}
			if (stream === 'action' || dims.action === 0) {
				compare(group, low, channel, 0.02 * unit, of('low'), share('lowAt'));
				compare(group, high, channel, 0.02 * unit, of('high'), share('highAt'));
				if (!isIdle) compare(group, path, channel, 0.15, log('path', 0.2));
			}
			if (!isIdle) compare(group, rough, channel, 0.1, log('rough', 0.0005));
			const leader = stream === 'state' ? leaders.get(channel) : undefined;
			const leap =
				(name: 'jump' | 'spike'): Figure =>
				profile => {
					const led = leader === undefined ? 0 : (profile.action?.figures.jump[leader] ?? 0);
					const own = profile[stream]?.figures[name][channel] ?? Number.NaN;
					return Math.log(Math.max(1, own / Math.hypot(led, (isIdle ? leastIdleLeap : leastLeap) * unit)));
				};
			compare(group, jump, channel, 0.4, leap('jump'), share('jumpAt'));
			compare(group, spike, channel, 0.4, leap('spike'), share('spikeAt'));
		}
		compare(
			group,
			held,
			-1,
			0.3,
			profile => Math.log((profile[stream]?.held ?? Number.NaN) + 3),
			profile => (profile[stream]?.heldAt ?? Number.NaN) / profile.frames,
		);
	}
}

function comparePairs(
	group: Group,
	pairs: readonly ChannelPair[],
	{scale, isIdle}: Scales,
	begin: (kind: DeviationKind) => Deviations,
): void {
	const [offset, gain, lag, jointLag, rest] = [
		begin('offset'),
		begin('gain'),
		begin('lag'),
		begin('joint-lag'),
		begin('rest'),
	];
	for (const [place, {action}] of pairs.entries()) {
		const unit = scale[action] as number;
		compare(group, offset, action, 0.003 * unit, profile => profile.pairs?.offset[place] ?? Number.NaN);
		if (isIdle[action]) continue;
		compare(group, rest, action, 0.2, profile =>
			Math.log(Math.max(profile.pairs?.rest[place] ?? Number.NaN, 0.001 * unit)),
		);
		compare(group, gain, action, 0.005, profile => profile.pairs?.gain[place] ?? Number.NaN);
		compare(group, jointLag, action, 0.2, profile => profile.pairs?.lag[place] ?? Number.NaN);
	}
	const moving = pairs.flatMap(({action}, place) => (isIdle[action] ? [] : [place]));
	compare(group, lag, -1, 0.05, profile =>
		profile.pairs ? commonLag(profile.pairs.lag, moving) : Number.NaN,
	);
}

/** The median lag of the joints that the task uses, in frames. */
function commonLag(lags: Float32Array, moving: readonly number[]): number {
	return quantile(sortedFinite(Float64Array.from(moving, place => lags[place] as number)), 0.5);
}
