import type {Feature} from '../lerobot/info.ts';
import type {SampleEpisode} from './episode.ts';
import {createRandom, normalTable} from './random.ts';
import type {SampleRobot} from './robots.ts';

/** The telemetry features of a robot that reports them: motor load in percent, temperature in °C. */
export function telemetryFeatures(robot: SampleRobot): Record<string, Feature> {
	const vector = {dtype: 'float32', shape: [robot.dims], names: robot.names};
	return {'observation.effort': vector, 'observation.temperature': vector};
}

/**
 * The motors' telemetry: a load that grows with how far the follower is behind, over what it carries at rest,
 * and a temperature that rises through the session.
 */
export function withTelemetry(
	episode: SampleEpisode,
	robot: SampleRobot,
	episodeIndex: number,
	seed: string,
): SampleEpisode {
	const random = createRandom(`${seed}/telemetry`);
	const normal = normalTable();
	const {dims, degree, fps} = robot;
	const action = episode.values.action ?? new Float32Array();
	const state = episode.values['observation.state'] ?? new Float32Array();
	const effort = new Float32Array(action.length);
	const temperature = new Float32Array(action.length);
	for (let dim = 0; dim < dims; dim++) {
		const rest = random.normal(4, 1.5);
		const warm = 29 + 4 * (1 - Math.exp(-episodeIndex / 40)) + random.normal(dim === 1 ? 5 : 1, 0.4);
		let noise = random.below(normal.length);
		for (let frame = 0; frame < episode.length; frame++) {
			const place = frame * dims + dim;
			noise = (noise + 1) % normal.length;
			const behind = ((action[place] ?? 0) - (state[place] ?? 0)) / degree;
			effort[place] = Math.max(-100, Math.min(100, rest + 3.5 * behind + 0.6 * (normal[noise] ?? 0)));
			temperature[place] = Math.round((warm + (0.02 * frame) / fps) * 10) / 10;
		}
	}
	const values = {...episode.values, 'observation.effort': effort, 'observation.temperature': temperature};
	return {...episode, values};
}
