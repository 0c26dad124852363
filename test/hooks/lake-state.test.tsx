import {Text} from 'ink';
import type {ReactNode} from 'react';
import {expect, test} from 'vitest';
import {useExplorer} from '../../source/hooks/explorer.tsx';
import {useNames, useWays, type Ways} from '../../source/hooks/links.ts';
import {useListing, useShownRows} from '../../source/hooks/listing.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {explorerOf, until} from '../store/support.ts';
import {drawn} from '../support/drawn.tsx';
import {hosted} from '../support/hosted.ts';

const size = {width: 80, height: 12};

/** An explorer of 40 episodes whose projects are listed. */
async function withProjects() {
	const explorer = explorerOf(await hosted({episodes: 40}));
	await until(explorer.window.result, ({rowCount}) => rowCount > 0);
	explorer.update(viewed('projects'));
	return explorer;
}

test('listing: the rows of a view are read, and a search leaves those that match', async () => {
	const explorer = await withProjects();
	function Listing(): ReactNode {
		const {projects} = useExplorer().catalog;
		const listing = useListing(projects);
		useShownRows(projects, listing, 5);
		return <Text>{`${listing.keys.length} listed, ${JSON.stringify(listing.selected)}`}</Text>;
	}
	const pane = drawn(<Listing />, {explorer, ...size});
	await pane.until(/^1 listed.*folding/);
	const searched = (search: string) =>
		explorer.update(state => ({
			...state,
			lists: {...state.lists, projects: {...state.lists.projects, search}},
		}));
	searched('pour');
	await pane.until(/^0 listed/);
	searched('FOLD');
	await pane.until(/^1 listed.*folding/);
});

test('links: names are known once listed; a filter that cannot be read is refused, one that can is gone to', async () => {
	const explorer = await withProjects();
	let ways: Ways | undefined;
	function Links(): ReactNode {
		ways = useWays();
		const nameOf = useNames();
		const [id = ''] = useExplorer().catalog.projects.known.getState().keys;
		return <Text>{`name: ${nameOf({kind: 'project', id})}`}</Text>;
	}
	const pane = drawn(<Links />, {explorer, ...size, focused: 'projects'});
	await pane.until('name: folding');
	ways?.toFilter('frame_count>=');
	expect(explorer.state.getState()).toMatchObject({view: 'projects'});
	expect(explorer.state.getState().notices.at(-1)?.text).toContain('The filter frame_count>= cannot be read');
	ways?.toFilter('frame_count>=1');
	expect(explorer.state.getState().view).toBe('explore');
	expect(explorer.state.getState().filter.numeric).toHaveLength(1);
});
