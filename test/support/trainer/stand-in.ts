import path from 'node:path';

/** The folder of a stand-in `lerobot-train`, to be put on the PATH of a service. */
export const standInFolder: string = import.meta.dirname;

export const standIn: string = path.join(standInFolder, 'lerobot-train');
