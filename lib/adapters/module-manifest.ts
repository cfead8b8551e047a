import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { isMissing } from './file-error.ts';

/** One module call, as `init` noted it in `modules.json`. */
export interface InstalledModule {
  /** Dotted names of the calls that lead to it; `''` for the root module. */
  readonly key: string;
  readonly source: string;
  /** Of modules from a registry. */
  readonly version: string;
  /** Absolute. */
  readonly directory: string;
}

// Go writes an empty list as null.
const Manifest = z.object({
  Modules: z
    .array(z.object({ Key: z.string(), Source: z.string(), Version: z.string().default(''), Dir: z.string() }))
    .nullable(),
});

/**
 * The modules of an initialised root module, sorted by key, the root itself first. Throws `SourceUnreadable`
 * where the manifest can't be read; there is none where the root module calls no other.
 */
export async function readInstalledModules(root: string, dataDirectory: string): Promise<readonly InstalledModule[]> {
  const file = path.join(dataDirectory, 'modules', 'modules.json');
  const calls = (await readManifest(file)).filter(({ Key }) => Key !== '');
  const modules = calls.map(({ Key, Source, Version, Dir }) => ({
    key: Key,
    source: Source,
    version: Version,
    directory: path.resolve(root, Dir),
  }));
  const rootModule = { key: '', source: '', version: '', directory: root };
  return [rootModule, ...modules.sort((a, b) => (a.key < b.key ? -1 : 1))];
}

async function readManifest(file: string) {
  try {
    return Manifest.parse(JSON.parse(await readFile(file, 'utf8'))).Modules ?? [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw new HoldfastError('SourceUnreadable', `the list of installed modules can't be read: ${file}`, {
      hint: 'Delete the directory it is in; init then installs the modules again.',
      location: { file },
      cause: error,
    });
  }
}
