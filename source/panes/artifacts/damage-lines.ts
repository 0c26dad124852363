import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Role} from '../../components/theme.ts';
import {type DatasetDamage, severityWords} from '../../contract/local-repair.ts';
import type {DatasetDamages} from '../../store/artifacts/dataset-damage.ts';
import {printable} from '../../terminal/printable.ts';
import {counted} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';
import {fieldLines, headingLine, type OpenedLine} from '../list/opened-line.ts';

type DamageLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly repair: (id: string) => void;
};

/** Messages of one kind that are shown. */
const mostMessages = 3;

const roles: Readonly<Record<string, Role>> = {'training-fails': 'bad', 'training-worse': 'warning'};

/** Problems of a dataset by kind, the worst first, each with what LeRobot does with it and its repair. */
export function damageLines(
	{report, trouble}: DatasetDamages,
	options: DamageLinesOptions,
): readonly OpenedLine[] {
	const {width, screen} = options;
	const field = (value: string, role: Role) => fieldLines([{label: 'check', value, role}], width, screen);
	if (trouble !== undefined) return field(trouble, 'warning');
	if (report === undefined || report.state === 'checking') return field('looking for damage', 'dim');
	const own = report.damages.filter(({severity}) => severity === 'lerobot-rule').length;
	const kinds = [
		...Map.groupBy(
			report.damages.filter(({severity}) => severity !== 'lerobot-rule'),
			({severity, id}) => `${severity} ${id}`,
		).values(),
	];
	const aside = own > 0 ? `, ${counted(own, 'figure')} as LeRobot itself writes them` : '';
	if (kinds.length === 0) return field(`nothing is wrong${aside}`, 'dim');
	const repairable = kinds.filter(([first]) => first?.repairable).length;
	const summary = `${counted(kinds.length, 'problem')}, ${repairable} can be repaired${aside}`;
	const heading: OpenedLine = [...headingLine('Problems'), {text: `  ${summary}`, role: 'dim'}];
	const refused = report.refused === null ? [] : indented(report.refused, 'warning', options);
	return [[], heading, ...refused, ...kinds.flatMap(kind => kindLines(kind, options)), []];
}

function kindLines(damages: readonly DatasetDamage[], options: DamageLinesOptions): readonly OpenedLine[] {
	const {screen, repair} = options;
	const [first] = damages;
	if (!first) return [];
	const {id, severity, title, repairable} = first;
	const times = damages.length > 1 ? ` (${damages.length})` : '';
	const head: readonly Segment[] = [
		' ',
		{text: severityWords[severity] ?? severity, role: roles[severity] ?? 'dim'},
		`: ${printable(title, screen.drawing)}${times}`,
	];
	const target = {id: `damage ${id}`, description: 'repair it', enter: () => repair(id)};
	const more = damages.length - mostMessages;
	return [
		repairable ? {segments: head, target} : head,
		...damages.slice(0, mostMessages).flatMap(({message}) => indented(message, 'plain', options)),
		...(more > 0 ? indented(`and ${more} more`, 'dim', options) : []),
		...indented(`LeRobot: ${first.lerobot}`, 'dim', options),
		...indented(
			repairable
				? `Repair: ${first.repair}`
				: first.repair === null
					? 'No repair.'
					: `Repair: ${first.repair} On the command line: lakescope repair`,
			repairable ? 'accent' : 'dim',
			options,
		),
	];
}

function indented(
	text: string,
	role: Role,
	{width, screen}: Pick<DamageLinesOptions, 'width' | 'screen'>,
): readonly OpenedLine[] {
	return wrap(printable(text, screen.drawing), Math.max(8, width - 5)).map(line => [
		'    ',
		{text: line, role},
	]);
}
