import {chmod, mkdir, rename, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';

/** What each release's package calls itself. */
export const versionOf: Readonly<Record<string, string>> = {
	'0.5.1': '0.5.1',
	'0.6.1': '0.6.1',
	newest: '0.6.2',
};

const trainer = path.join(import.meta.dirname, 'release.mjs');
const datasetTools = path.join(import.meta.dirname, 'dataset-tools.mjs');

/**
 * Lays out an environment as pip does, with the stand-ins of a release in place of `lerobot-train`, `lerobot-edit-dataset`
 * and `lerobot-dataset-viz`.
 *
 * @returns the trainer's command
 */
export async function installRelease(
	environment: string,
	release: string,
	{hasMetadata = true}: {hasMetadata?: boolean} = {},
): Promise<string> {
	const bin = path.join(environment, 'bin');
	await mkdir(bin, {recursive: true});
	const python = path.join(bin, 'python');
	await symlink(process.execPath, python).catch(() => undefined);
	const packages = path.join(environment, 'lib/python3.12/site-packages');
	if (hasMetadata) {
		const version = versionOf[release] ?? release;
		const metadata = path.join(packages, `lerobot-${version}.dist-info`);
		await mkdir(metadata, {recursive: true});
		await writeFile(
			path.join(metadata, 'METADATA'),
			`Metadata-Version: 2.4\nName: lerobot\nVersion: ${version}\nSummary: a stand-in\n`,
		);
	}
	const write = async (name: string, module: string, main: string) => {
		const command = path.join(bin, name);
		const script = `#!${python}\nimport(${JSON.stringify(module)}).then(({main}) => ${main});\n`;
		await writeFile(`${command}.new`, script);
		await chmod(`${command}.new`, 0o755);
		await rename(`${command}.new`, command);
		return command;
	};
	const version = JSON.stringify(release);
	for (const name of ['lerobot-edit-dataset', 'lerobot-dataset-viz']) {
		await write(name, datasetTools, `main(${JSON.stringify(name)}, ${version})`);
	}
	return write('lerobot-train', trainer, `main(${version})`);
}
