import type { CheckStackInput } from '../app/check-stack.ts';
import { checkStacks } from '../app/check-stacks.ts';
import { describeVerdict } from '../domain/describe.ts';
import type { Rules } from '../domain/rules.ts';
import { secretSettings } from '../domain/secrets.ts';
import type { StackFolder } from '../ports/stack-finder.ts';
import type { EngineRequest } from '../ports/toolchain.ts';
import { type ReportOptions, rulesFor } from './options.ts';
import { createProgress, type Progress, silentProgress } from './progress.ts';
import { report } from './report.ts';
import type { Services } from './services.ts';

export interface CheckOptions extends ReportOptions {
  readonly concurrency: number;
  readonly workspace?: string | undefined;
  readonly varFile: readonly string[];
  readonly var: readonly string[];
  readonly backendConfig: readonly string[];
  readonly env: readonly string[];
  readonly engine: EngineRequest;
  readonly state?: string | undefined;
  readonly refreshOnly?: boolean | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly quiet?: boolean | undefined;
}

/** `holdfast check`: plans every named stack and reports. Resolves with the exit code. */
export async function runCheck(
  services: Services,
  patterns: readonly string[],
  options: CheckOptions,
): Promise<number> {
  const rules = await rulesFor(services, options);
  const folders = await services.stacks.find(patterns.length === 0 ? ['.'] : patterns);
  const deps = await services.checker({
    engine: options.engine,
    stateDirectory: options.state,
    handOn: options.env,
  });
  const progress = progressFor(services, options);
  const results = await checkStacks(
    {
      ...deps,
      onStart: (stack) => progress.start(stack),
      onResult: (result) => progress.done(result.stack, describeVerdict(result)),
    },
    {
      inputs: folders.map((folder) => inputFor(services, folder, options, rules, progress)),
      concurrency: options.concurrency,
    },
  ).finally(() => progress.close());
  const directories = new Map(folders.map((folder) => [stackId(folder, options), folder.stack]));
  return report(services, results, { ...options, directoryOf: (stack) => directories.get(stack) ?? stack });
}

function progressFor({ output, progressStream }: Services, { quiet }: CheckOptions): Progress {
  if (quiet === true) return silentProgress;
  return createProgress({ stream: progressStream, live: output.live, now: () => performance.now() });
}

/** One root module is as many stacks as it has workspaces. */
function stackId({ stack }: StackFolder, { workspace }: CheckOptions): string {
  return workspace === undefined ? stack : `${stack}@${workspace}`;
}

function inputFor(
  { env, signal }: Services,
  folder: StackFolder,
  options: CheckOptions,
  rules: Rules,
  progress: Progress,
): CheckStackInput {
  const { workspace } = options;
  const stack = stackId(folder, options);
  return {
    stack,
    rules,
    knownSecrets: secretSettings(env, options.var),
    request: {
      directory: folder.directory,
      ...(workspace === undefined ? {} : { workspace }),
      backendConfig: options.backendConfig,
      varFiles: options.varFile,
      vars: options.var,
      mode: options.refreshOnly === true ? 'refresh-only' : 'plan',
      timeoutMs: options.timeout,
      signal,
      onProgress: (step) => progress.update(stack, step),
    },
  };
}
