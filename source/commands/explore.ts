import {createClient} from '../client/client.ts';
import type {ChosenService} from './chosen-service.ts';
import type {ExploreOptions} from './explore-options.ts';
