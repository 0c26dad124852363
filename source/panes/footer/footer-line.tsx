import {Box} from 'ink';
import type {ReactNode} from 'react';
import {Line} from '../../components/line.tsx';
import {Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorerState} from '../../hooks/explorer.tsx';
import {useMouseArea, useRouter, useRouterSnapshot} from '../../input/react.tsx';
import type {Notice} from '../../store/notices/notice.ts';
import {hintAt, type KeyHint, keyHints} from './key-hints.ts';
import {noticeRows} from './notice-rows.ts';

/** What can be pressed now; while there is something to say, that instead. */
export function FooterLine({width}: {readonly width: number}): ReactNode {
	const {signs, drawing} = useScreen();
	const notice = useExplorerState(state => state.notices.at(-1));
	const {active, pending} = useRouterSnapshot();
	if (notice !== undefined) return <NoticeLines notice={notice} width={width} />;
	const hints = keyHints(active, width - 2, {unicode: !drawing.ascii});
	const words = hints.flatMap(({keys, text}, index): Segment[] => [
		index === 0 ? '' : '   ',
		{text: keys, role: 'accent'},
		` ${text}`,
	]);
	const begun: Segment[] =
		pending.length === 0 ? [] : [{text: `${pending.join(' ')} ${signs.ellipsis} `, role: 'strong'}];
	return (
		<HintsArea hints={begun.length === 0 ? hints : []}>
			<Line segments={[' ', ...begun, ...words]} width={width} />
		</HintsArea>
	);
}

/** A press on a hint does what its key does. */
function HintsArea({hints, children}: {hints: readonly KeyHint[]; children: ReactNode}): ReactNode {
	const router = useRouter();
	const area = useMouseArea({
		id: 'footer',
		level: 'global',
		press(_row, column) {
			const action = hintAt(hints, column - 1);
			if (action !== undefined) router.run(action);
		},
	});
	return <Box ref={area}>{children}</Box>;
}

/** Ends on the footer's own row; what it needs besides lies over the panes above. */
function NoticeLines({notice, width}: {readonly notice: Notice; readonly width: number}): ReactNode {
	const rows = noticeRows(notice, width, useScreen());
	return (
		<Box height={1} width={width}>
			<Box position="absolute" flexDirection="column" marginTop={1 - rows.length} width={width}>
				<Rows rows={rows} width={width} />
			</Box>
		</Box>
	);
}
