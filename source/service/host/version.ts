import packageJson from '../../../package.json' with {type: 'json'};

/** The program's version, as the service gives it in its own documents. */
export const version: string = packageJson.version;
