import {globSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';

/** A binding's action as the source has it: a name, or a template of one. */
const written = /\baction: (?:'([\w.-]+)'|`([^`]+)`)/g;
const walking = /\bmovementBindings\(\{\s*name: (?:'([\w.-]+)'|`([^`]+)`|\w+)/g;
const choosing = /\buseChooser(?:<\w+>)?\(\{\s*id: '([\w.-]+)'([\s\S]*?)\bbindings\b/g;
const reading = /<LinesDialog\s+id="([\w.-]+)"/g;
const copying = /\bcopyBinding\('([\w.-]+)'/g;
const walkingStep = /\{name: '([\w-]+)', keys: /g;

/** The helpers that put a name and a step together: their callers are looked at instead. */
const helpers = new Set([
	'source/panes/list/movement.ts',
	'source/panes/list/chooser.tsx',
	'source/panes/list/lines-dialog.tsx',
	'source/panes/list/copy-binding.ts',
]);

/** A template with a star for each part that is filled in as the program runs. */
const starred = (name: string | undefined, template: string | undefined) =>
	name ?? (template ?? '*').replaceAll(/\$\{[^}]*\}/g, '*');

/** An unknown template is filled with the values that its last part has anywhere: `term: 'status'`. */
function filledIn(
	name: string | undefined,
	template: string | undefined,
	texts: readonly string[],
): readonly string[] {
	const variable = /^\$\{\w+\}\.\$\{(\w+)\}$/.exec(template ?? '')?.[1];
	if (variable === undefined) return [starred(name, template)];
	const given = new RegExp(`\\b${variable}: '([\\w-]+)'`, 'g');
	return texts.flatMap(text => [...text.matchAll(given)].map(([, value]) => `*.${value}`));
}

/**
 * The names of all actions that bindings declare, with a star where a part of one is only known as the program runs.
 * Panes declare their bindings as they are drawn; the configuration is to be judged before any is.
 */
export async function declaredActions(root: string): Promise<readonly string[]> {
	const files = globSync('source/{app,panes,views,components}{.tsx,/**/*.ts,/**/*.tsx}', {cwd: root});
	const texts = await Promise.all(
		files.map(async file => [file, await readFile(path.join(root, file), 'utf8')] as const),
	);
	const stepsOf = (helper: string) =>
		texts
			.filter(([file]) => file.endsWith(`/panes/list/${helper}`))
			.flatMap(([, text]) => [...text.matchAll(walkingStep)].map(([, step]) => step));
	const moving = stepsOf('movement.ts');
	const typing = stepsOf('chooser.tsx');
	const found = texts
		.filter(([file]) => !helpers.has(file))
		.flatMap(([, text]) => [
			...[...text.matchAll(written)].flatMap(([, name, template]) =>
				filledIn(
					name,
					template,
					texts.map(([, each]) => each),
				),
			),
			...[...text.matchAll(copying)].map(([, name]) => `${name}.copy`),
			...[...text.matchAll(walking)].flatMap(([, name, template]) =>
				moving.map(step => `${starred(name, template)}.${step}`),
			),
			...[...text.matchAll(choosing)].flatMap(([, id, options = '']) =>
				(/\bfield:/.test(options) ? typing : moving).map(step => `${id}.${step}`),
			),
			...[...text.matchAll(reading)].flatMap(([, id]) => [...moving, 'close'].map(step => `${id}.${step}`)),
		]);
	return [...new Set(found)].sort();
}
