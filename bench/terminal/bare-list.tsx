import {Box, render, Text, useInput, useWindowSize} from 'ink';
import {type ReactNode, useState} from 'react';

/** The reference for a key of the explorer: a list of as many rows, windowed, drawn by Ink and nothing else. */
const count = 200_000;

function List(): ReactNode {
	const {rows} = useWindowSize();
	const [selected, select] = useState(0);
	useInput(input => {
		if (input === 'q') process.exit(0);
		// A burst arrives as one string.
		const steps = [...input].filter(key => key === 'j').length;
		select(now => Math.min(now + steps, count - 1));
	});
	const height = rows - 1;
	const from = Math.max(0, selected - height + 1);
	const lines: ReactNode[] = [];
	for (let row = from; row < from + height; row++) {
		const mark = row === selected ? '>' : ' ';
		const seconds = (12.5 + (row % 40)).toFixed(1);
		lines.push(
			<Text key={row - from} inverse={row === selected} wrap="truncate">
				{`${mark} ${row}  fold-lab1.00  ${seconds} s  fold the towel`}
			</Text>,
		);
	}
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Text>ready</Text>
			{lines}
		</Box>
	);
}

render(<List />, {alternateScreen: true, interactive: true, incrementalRendering: true});
