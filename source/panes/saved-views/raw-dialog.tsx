import {type ReactNode, useMemo} from 'react';
import type {DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {exactJson} from '../../contract/json-text.ts';
import {printable} from '../../terminal/printable.ts';
import {wrap} from '../../terminal/width.ts';
import {LinesDialog} from '../list/lines-dialog.tsx';

type RawDialogProps = {
	readonly body: unknown;
	readonly close: () => void;
	readonly width: number;
	readonly height: number;
};

const widest = 90;
/** Characters of a body that are shown. */
const longest = 20_000;

/** Shows a definition that is not a filter, as the service sent it. */
export function RawDialog({body, close, width, height}: RawDialogProps): ReactNode {
	const {drawing} = useScreen();
	const wide = Math.min(widest, width);
	const lines = useMemo(() => {
		const text = exactJson(body) ?? '';
		const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
		return wrap(printable(shown, drawing), Math.max(1, wide - 4)).map(
			(line): DialogRow => ({segments: [' ', line]}),
		);
	}, [body, drawing, wide]);
	return (
		<LinesDialog
			id="definition"
			title="This definition is not a filter; raw:"
			category="Definition"
			widest={widest}
			width={width}
			height={height}
			lines={lines}
			keys={['esc', 'enter', 'q']}
			verb="back"
			close={close}
		/>
	);
}
