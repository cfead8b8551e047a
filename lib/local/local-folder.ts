import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isMissing } from '../adapters/file-error.ts';
import { findLocalMode } from '../adapters/local-mode-file.ts';
import { LOCAL_FILE, type LocalMode } from '../contract/local-mode.ts';
import { HoldfastError } from '../domain/errors.ts';

/** What a local mode keeps for the next time. */
export interface LocalFolder {
  /** Absolute, as everything in it. */
  readonly root: string;
  readonly tables: string;
  /** Buckets, topics and queues. */
  readonly aws: string;
  readonly demo: string;
  /** Of the containers of tasks. */
  readonly logs: string;
  readonly work: string;
  readonly journal: string;
  readonly settings: Settings;
  saveSettings(settings: Settings): Promise<void>;
  /** Lets commands find the local mode, until it is told otherwise. */
  announce(mode: LocalMode): Promise<void>;
  withdraw(): Promise<void>;
}

const SettingsSchema = z.object({
  schemaVersion: z.literal(1),
  /** Baselines compare only under one salt. */
  salt: z.string(),
  /** Port of the emulator the last time: addresses of queues, which Terraform keeps, hold it. 0: any. */
  awsPort: z.int(),
});
export type Settings = z.infer<typeof SettingsSchema>;

/** Also tells a folder of ours from one that must not be emptied. */
const SETTINGS_FILE = 'settings.json';

export interface OpenFolderOptions {
  /** Whether to begin anew. */
  readonly fresh: boolean;
}

/**
 * Opens a state folder, or makes one. Throws `ServiceFailed` where a local mode runs with it, and `ArgumentInvalid` where
 * it is somebody else's.
 */
export async function openLocalFolder(root: string, { fresh }: OpenFolderOptions): Promise<LocalFolder> {
  const running = await findLocalMode(root);
  if (running !== undefined) {
    throw new HoldfastError('ServiceFailed', `a local mode runs with ${root} already (process ${running.pid})`, {
      hint: 'end it with Ctrl-C, or name another folder with --state',
    });
  }
  await requireOurs(root);
  if (fresh) await rm(root, { recursive: true, force: true });
  const folders = { logs: join(root, 'logs'), work: join(root, 'work') };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = (name: string) => join(root, name);
  const saveSettings = (settings: Settings) => writeWhole(file(SETTINGS_FILE), settings);
  return {
    root,
    ...folders,
    tables: file('tables'),
    aws: file('aws'),
    demo: file('demo'),
    journal: file('tasks.json'),
    settings: (await readSettings(file(SETTINGS_FILE))) ?? (await makeSettings(saveSettings)),
    saveSettings,
    announce: (mode) => writeWhole(file(LOCAL_FILE), mode),
    withdraw: () => rm(file(LOCAL_FILE), { force: true }),
  };
}

async function requireOurs(root: string): Promise<void> {
  const names: readonly string[] = await readdir(root).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  if (names.length === 0 || names.includes(SETTINGS_FILE)) return;
  throw new HoldfastError('ArgumentInvalid', `${root} holds something else than the state of a local mode`, {
    hint: 'name an empty folder, or one that is not there yet',
  });
}

async function readSettings(file: string): Promise<Settings | undefined> {
  try {
    return SettingsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new HoldfastError('ItemUnreadable', `${file} can't be read`, { cause, hint: 'begin anew with --fresh' });
  }
}

async function makeSettings(save: (settings: Settings) => Promise<void>): Promise<Settings> {
  const settings: Settings = { schemaVersion: 1, salt: randomBytes(32).toString('hex'), awsPort: 0 };
  await save(settings);
  return settings;
}

/** A reader sees the old content or the new one, never a part. */
export async function writeWhole(file: string, content: object): Promise<void> {
  const beside = `${file}.new`;
  await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(beside, file);
}
