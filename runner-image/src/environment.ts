import * as z from 'zod';
import * as names from '../../lib/contract/env.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';

const Text = z.string().min(1);

/** What both modes need. */
const common = {
  [names.ARTIFACTS_BUCKET]: Text,
  [names.GIT_CREDENTIALS]: Text.exactOptional(),
  [names.GIT_PROTOCOLS]: Text.default('https:ssh'),
  [names.WORK_FOLDER]: Text.exactOptional(),
  [names.CACHE_FOLDER]: Text.exactOptional(),
  [names.LOCAL_ENDPOINT]: Text.exactOptional(),
};

const CheckEnvironment = z.object({
  [names.MODE]: z.literal('check'),
  [names.RUN_ID]: Text,
  [names.STACK_ID]: Text,
  [names.DIGEST_SALT]: Text,
  ...common,
});
export type CheckEnvironment = z.output<typeof CheckEnvironment>;

const SyncEnvironment = z.object({
  [names.MODE]: z.literal('sync-catalogue'),
  [names.CATALOGUE_URL]: Text,
  [names.CATALOGUE_REF]: Text.default('HEAD'),
  [names.CATALOGUE_PATH]: Text.default('.'),
  ...common,
});
export type SyncEnvironment = z.output<typeof SyncEnvironment>;

const RunnerEnvironment = z.discriminatedUnion(names.MODE, [CheckEnvironment, SyncEnvironment]);
export type RunnerEnvironment = z.output<typeof RunnerEnvironment>;

/** Reads what the task is to do. Throws `ArgumentInvalid` naming the first variable that is missing or wrong. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): RunnerEnvironment {
  const parsed = RunnerEnvironment.safeParse(env);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const name = issue.path.map(String).join('.');
  throw new HoldfastError('ArgumentInvalid', `the environment variable ${name} is missing or wrong: ${issue.message}`);
}
