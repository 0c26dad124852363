import type {ReactNode} from 'react';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Role} from '../../components/style.ts';
import {useExplorerState} from '../../hooks/explorer.tsx';
import {useRouterSnapshot} from '../../input/react.tsx';
import type {Notice} from '../../store/notices.ts';
import {keyHints} from './key-hints.ts';

const noticeRoles: Readonly<Record<Notice['kind'], Role>> = {
	info: 'accent',
	warning: 'warning',
	error: 'bad',
};

/** What can be pressed now; while there is something to say, that instead. */
export function FooterLine({width}: {readonly width: number}): ReactNode {
	const {signs, drawing} = useScreen();
	const notice = useExplorerState(state => state.notices.at(-1));
	const {active, pending} = useRouterSnapshot();
	if (notice !== undefined) {
		const sign = notice.kind === 'info' ? signs.dot : notice.kind === 'warning' ? signs.warning : signs.no;
		return (
			<Line segments={[{text: ` ${sign} ${notice.text}`, role: noticeRoles[notice.kind]}]} width={width} />
		);
	}
	const hints: Segment[] = keyHints(active, width - 2, {unicode: !drawing.ascii}).flatMap(({keys, text}) => [
		{text: keys, role: 'accent'},
		` ${text}   `,
	]);
	const begun: Segment[] =
		pending.length === 0 ? [] : [{text: `${pending.join(' ')} ${signs.ellipsis} `, role: 'strong'}];
	return <Line segments={[' ', ...begun, ...hints]} width={width} />;
}
