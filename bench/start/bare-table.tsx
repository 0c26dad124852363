import {Box, render, Text, useInput} from 'ink';
import inkTable from 'ink-table';
import type {ReactNode} from 'react';

/** The reference for the explorer's start: a table of fixed rows, drawn by Ink, that ends with q. */
const data = Array.from({length: 14}, (_, row) => ({
	episode: row,
	dataset: 'fold-lab1.00',
	seconds: (12.5 + row).toFixed(1),
	frames: 400 + row,
	task: 'fold the towel',
}));

// CommonJS: what Node calls the default export is the module itself.
const Table = inkTable.default;

function Bare(): ReactNode {
	useInput(input => {
		if (input === 'q') process.exit(0);
	});
	return (
		<Box flexDirection="column">
			<Table data={data} />
			<Text>ready</Text>
		</Box>
	);
}

render(<Bare />, {alternateScreen: true, interactive: true, incrementalRendering: true});
