import {parseArgs} from 'node:util';
import {startHostedService} from './server.ts';

const {values} = parseArgs({
	options: {
		episodes: {type: 'string', default: '5000'},
		key: {type: 'string', default: 'hosted-key'},
		hostile: {type: 'boolean', default: false},
	},
});

const {episodes, key, hostile} = values;
const service = await startHostedService({episodes: {count: Number(episodes), hostile}, key});
console.log(`listening ${service.url}`);
