import packageJson from '../../package.json' with {type: 'json'};

/** The program's version, as `--version` prints it. */
export const version: string = packageJson.version;
