import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HoldfastError } from '../domain/errors.ts';
import { indexIgnoreChanges } from '../domain/ignore-changes.ts';
import { isModuleFileName, type ModuleFile, parseModuleFile } from '../domain/module-file.ts';
import { lockedProviders } from '../domain/provider-lock.ts';
import type { ModuleReader, ModuleSource, PlanRequest } from '../ports/engine-runner.ts';
import { type ConfigFile, digestConfig } from './config-digest.ts';
import { isFileError, isMissing } from './file-error.ts';
import { createFramedDigest } from './framed-digest.ts';
import { digestInputs, type InputsDeps } from './inputs-digest.ts';
import { type InstalledModule, readInstalledModules } from './module-manifest.ts';
import { findReferencedFiles } from './referenced-files.ts';

interface ModuleSources {
  readonly key: string;
  readonly keys: readonly string[];
  readonly directory: string;
  readonly files: readonly ModuleFile[];
  readonly configFiles: readonly ConfigFile[];
}

/**
 * Reads root modules from disk. `env` is the environment Terraform gets, as far as it matters here: `TF_DATA_DIR` and
 * `TF_VAR_…`. Digests of inputs compare only under the same salt.
 *
 * `read` throws `SourceUnreadable` where a directory or file of a module can't be read, and `ArgumentInvalid` where
 * the request names one.
 */
export function createModuleReader({ env, salt }: InputsDeps): ModuleReader {
  return {
    read: async (request) => {
      try {
        return await readSource({ env, salt }, request);
      } catch (error) {
        if (!isFileError(error)) throw error;
        throw new HoldfastError('SourceUnreadable', `module can't be read: ${error.message}`, {
          location: { file: request.directory },
          cause: error,
        });
      }
    },
  };
}

async function readSource({ env, salt }: InputsDeps, request: PlanRequest): Promise<ModuleSource> {
  const root = request.directory;
  const dataDirectory = resolve(root, env.TF_DATA_DIR || '.terraform');
  const modules = await readInstalledModules(root, dataDirectory);
  const directories = await readDirectories(modules);
  const config = await digestConfig({
    modules,
    configFiles: directories.flatMap(({ configFiles }) => configFiles),
    referencedFiles: await findReferencedFiles(root, directories),
  });
  const workspace = request.workspace ?? (await selectedWorkspace(dataDirectory));
  const inputs = await digestInputs({ env, salt }, request, workspace);
  const providers = await digestProviders(root);
  return { digests: { basis: 'files', config, inputs, providers }, ignoreChanges: indexIgnoreChanges(directories) };
}

async function selectedWorkspace(dataDirectory: string): Promise<string> {
  const selected = await readIfAny(join(dataDirectory, 'environment'));
  return selected?.trim() || 'default';
}

/** Reads each directory once, however often its module is called. */
async function readDirectories(modules: readonly InstalledModule[]): Promise<readonly ModuleSources[]> {
  const sources: ModuleSources[] = [];
  for (const [directory, calls] of Map.groupBy(modules, (module) => module.directory)) {
    const keys = calls.map(({ key }) => key);
    sources.push(await readDirectory(directory, keys));
  }
  return sources;
}

async function readDirectory(directory: string, keys: readonly string[]): Promise<ModuleSources> {
  const [key = ''] = keys;
  const files: ModuleFile[] = [];
  const configFiles: ConfigFile[] = [];
  for (const name of await moduleFileNames(directory)) {
    const bytes = await readFile(join(directory, name));
    files.push(parseModuleFile(name, bytes.toString('utf8')));
    configFiles.push({ name: `${key}:${name}`, digest: createHash('sha256').update(bytes).digest('hex') });
  }
  return { key, keys, directory, files, configFiles };
}

async function moduleFileNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && isModuleFileName(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** `null` where nothing is locked: a module without providers has no lock file. */
async function digestProviders(root: string): Promise<string | null> {
  const lockFile = await readIfAny(join(root, '.terraform.lock.hcl'));
  if (lockFile === undefined) return null;
  const digest = createFramedDigest();
  digest.add(...lockedProviders(lockFile));
  return digest.hex();
}

async function readIfAny(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
