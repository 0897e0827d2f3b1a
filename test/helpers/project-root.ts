import path from 'node:path';

/** The folder that contains this project's package.json. */
export const projectRoot = path.resolve(import.meta.dirname, '..', '..');
