import {Box} from 'ink';
import type {ReactNode} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {Line} from '../../components/line.tsx';
import {Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorerState} from '../../hooks/explorer.tsx';
import {useMouseArea, useRouter, useRouterSnapshot} from '../../input/react.tsx';
import type {Notice} from '../../store/state/notices.ts';
import {hintAt, hintSegments, type KeyHint, keyHints} from '../list/key-hints.ts';
import {noticeRows} from '../list/notice-rows.ts';

/** The keys that can be pressed now; a notice takes their place, unless a dialog is open. */
export function FooterLine({width}: {readonly width: number}): ReactNode {
	const {signs, drawing} = useScreen();
	const notice = useExplorerState(state => state.notices.at(-1));
	const {active, pending} = useRouterSnapshot();
	const dialog = active.find(({level}) => level === 'dialog')?.layer;
	if (notice !== undefined && dialog === undefined) return <NoticeLines notice={notice} width={width} />;
	const hints = keyHints(active, width - 2, {unicode: !drawing.ascii});
	const begun: Segment[] =
		pending.length === 0 ? [] : [{text: `${pending.join(' ')} ${signs.ellipsis} `, role: 'strong'}];
	return (
		<HintsArea hints={begun.length === 0 ? hints : []} dialog={dialog}>
			<Line segments={[' ', ...begun, ...hintSegments(hints)]} width={width} />
		</HintsArea>
	);
}

type HintsAreaProps = {
	readonly hints: readonly KeyHint[];
	/** The dialog whose hints they are. */
	readonly dialog: string | undefined;
	readonly children: ReactNode;
};

/** A press on a hint does what its key does. */
function HintsArea({hints, dialog, children}: HintsAreaProps): ReactNode {
	const router = useRouter();
	const area = useMouseArea({
		id: 'footer',
		...(dialog === undefined ? {level: 'global'} : {level: 'dialog', within: dialog}),
		press(_row, column) {
			const action = hintAt(hints, column - 1);
			if (action !== undefined) router.run(action);
		},
	});
	return <Box ref={area}>{children}</Box>;
}

/** A notice while a dialog has the footer: on the rows above the footer, over the dialog if it reaches there. */
export function NoticeOverDialog({
	width,
	height,
}: {
	readonly width: number;
	readonly height: number;
}): ReactNode {
	const notice = useExplorerState(state => state.notices.at(-1));
	const screen = useScreen();
	const keyOf = useKeyOf();
	if (notice === undefined) return null;
	const rows = noticeRows(notice, width, {screen, keyOf});
	return (
		<Box position="absolute" flexDirection="column" marginTop={height - 1 - rows.length} width={width}>
			<Rows rows={rows} width={width} />
		</Box>
	);
}

/** Ends on the footer's row; its other rows lie over the panes above. */
function NoticeLines({notice, width}: {readonly notice: Notice; readonly width: number}): ReactNode {
	const rows = noticeRows(notice, width, {screen: useScreen(), keyOf: useKeyOf()});
	return (
		<Box height={1} width={width}>
			<Box position="absolute" flexDirection="column" marginTop={1 - rows.length} width={width}>
				<Rows rows={rows} width={width} />
			</Box>
		</Box>
	);
}
