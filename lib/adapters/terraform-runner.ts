import { constants } from 'node:buffer';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { HoldfastError } from '../domain/errors.ts';
import { secretsInText } from '../domain/secrets.ts';
import { hasSomethingToShow } from '../domain/ui-stream.ts';
import type { EngineLog, EngineRunner, PlanRequest, PlanRun } from '../ports/engine-runner.ts';
import { earlyInputs, initArguments, planArguments, showArguments } from './engine-arguments.ts';
import type { EngineSession, EngineTool } from './engine-command.ts';
import { engineEnvironment } from './engine-environment.ts';
import { runPrinting, runStreaming } from './engine-output.ts';
import { readPlanFile } from './plan-file.ts';
import { withPrivateFolder } from './private-folder.ts';
import { withinLimits } from './run-limit.ts';

export interface TerraformRunnerOptions {
  readonly tool: EngineTool;
  /** Only what the engine may see of it is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Names of further variables that the engine may see.
   *
   * @default - none
   */
  readonly handOn?: readonly string[];
  /**
   * What `init` gets beside that.
   *
   * @default - nothing
   */
  readonly forInit?: InitSupport;
  /**
   * `keep`: a run with something to show hands its plan file on.
   *
   * @default 'drop'
   */
  readonly planFile?: 'keep' | 'drop';
  /** @default - nobody is told */
  readonly log?: EngineLog;
  /**
   * File for `TF_CLI_CONFIG_FILE`.
   *
   * @default - the one `env` names
   */
  readonly cliConfigFile?: string;
  /**
   * Where a run makes its private folder.
   *
   * @default - the system's folder for temporary files
   */
  readonly tempRoot?: string;
  /**
   * How long an interrupted engine may take to finish before it is killed, in milliseconds. Fargate gives 120 s at most.
   *
   * @default 100000
   */
  readonly graceMs?: number;
  /**
   * Largest plan document that is read.
   *
   * @default - the longest text that Node can hold, about 512 MiB
   */
  readonly maxDocumentBytes?: number;
}

/** For `init` alone, which fetches modules and starts no provider: credentials for Git. */
export interface InitSupport {
  readonly env: Readonly<Record<string, string>>;
  /** Called after it, before any provider is started. */
  end(): Promise<void>;
}

/**
 * Runs Terraform or OpenTofu as a child process. It only plans, takes no lock, and leaves no plan file on disk.
 *
 * `run` throws `InitFailed`, `PlanFailed` or `EngineFailed` with the place and the engine's summary of the first error,
 * `StackBusy` where somebody holds the lock, `StackNotFound` for a missing directory or workspace, `PlanUnreadable` for
 * a document over the limit, and `EngineMissing`, `UnexpectedExit`, `TimedOut` and `Interrupted`.
 */
export function createTerraformRunner({
  tool,
  env,
  handOn = [],
  forInit,
  planFile: planFiles = 'drop',
  log,
  cliConfigFile,
  tempRoot = tmpdir(),
  graceMs = 100_000,
  maxDocumentBytes = constants.MAX_STRING_LENGTH,
}: TerraformRunnerOptions): EngineRunner {
  const allowed = engineEnvironment(env, handOn);
  if (cliConfigFile !== undefined) allowed.TF_CLI_CONFIG_FILE = cliConfigFile;
  const run = async (request: PlanRequest, planFile: string): Promise<PlanRun> => {
    const common = { tool, directory: request.directory, graceMs, ...(log && { log }) };
    const session = { ...common, env: withWorkspace(allowed, request) };
    const planned = await withinLimits(request, async (stop) => {
      const outside = { ...common, env: allowed, stop };
      await initialise({ ...outside, env: { ...allowed, ...forInit?.env } }, request);
      await forInit?.end();
      await requireWorkspace(outside, request);
      return plan({ ...session, stop }, request, planFile).catch(async (error: unknown) => {
        throw await withSecretsOfPlan(error, { ...session, stop }, showArguments(tool, request, planFile));
      });
    });
    const result = { ...planned, engine: { name: tool.name, version: tool.version } };
    if (!hasSomethingToShow(result.stream, result.exitCode)) return result;
    request.onProgress?.({ step: 'show' });
    const args = showArguments(tool, request, planFile);
    const document = await withinLimits(request, (stop) =>
      runPrinting({ ...session, stop }, { name: 'show', args, maxBytes: maxDocumentBytes }),
    );
    if (planFiles === 'drop') return { ...result, document };
    return { ...result, document, planFile: await readPlanFile(planFile) };
  };
  return {
    run: (request) => withPrivateFolder(tempRoot, (folder) => run(request, join(folder, 'plan.tfplan'))),
  };
}

function withWorkspace(env: EngineSession['env'], { workspace }: PlanRequest): EngineSession['env'] {
  return workspace === undefined ? env : { ...env, TF_WORKSPACE: workspace };
}

// Terraform's plugin cache is not made for more than one writer.
const oneAtATime = pLimit(1);

async function initialise(session: EngineSession, request: PlanRequest): Promise<void> {
  request.onProgress?.({ step: 'init' });
  const args = initArguments(session.tool, request);
  const init = () => runStreaming(session, { name: 'init', args, successes: [0], failure: 'InitFailed' });
  await (session.env.TF_PLUGIN_CACHE_DIR === undefined ? init() : oneAtATime(init));
}

/**
 * Whichever command first opens the state of a workspace that is not there makes it (an empty object in the bucket,
 * with S3), and everything in it is planned to be created. But a check never writes, and a misspelt name is no finding.
 * So the workspace is looked up before the engine hears of it.
 */
async function requireWorkspace(session: EngineSession, request: PlanRequest): Promise<void> {
  const { workspace } = request;
  if (workspace === undefined || workspace === 'default') return;
  const list = await runPrinting(session, { name: 'workspace list', args: earlyInputs(session.tool, request) });
  // The selected one is marked with a star.
  const names = list.split('\n').map((line) => line.replace('*', '').trim());
  if (names.includes(workspace)) return;
  throw new HoldfastError('StackNotFound', `no workspace ${JSON.stringify(workspace)} in the backend of this stack`, {
    hint: 'check the name, or make the workspace with "workspace new"',
  });
}

/**
 * The reason for a failed plan may quote a value that only the plan file knows to be sensitive: Terraform writes one also
 * where planning failed half-way.
 */
async function withSecretsOfPlan(
  error: unknown,
  { log: _, ...session }: EngineSession,
  args: readonly string[],
): Promise<unknown> {
  if (!(error instanceof HoldfastError) || error.code !== 'PlanFailed') return error;
  // Where planning failed before there was a file, the engine says so, and there is nothing to hide.
  const secrets = await runPrinting(session, { name: 'show', args }).then(secretsInText, () => []);
  const { code, message, hint, location, cause } = error;
  return new HoldfastError(code, message, { cause, secrets, ...(hint && { hint }), ...(location && { location }) });
}

function plan(session: EngineSession, request: PlanRequest, planFile: string) {
  const { onProgress } = request;
  onProgress?.({ step: 'plan' });
  return runStreaming(session, {
    name: 'plan',
    args: planArguments(request, planFile),
    successes: [0, 2],
    failure: 'PlanFailed',
    onRefresh: (count) => onProgress?.({ step: 'refresh', count }),
  });
}
