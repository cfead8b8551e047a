import { fileURLToPath } from 'node:url';

/** Absolute path of a file of this repository, wherever the app that uses the constructs is. */
export const repositoryPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
