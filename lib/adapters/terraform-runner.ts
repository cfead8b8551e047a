import { constants } from 'node:buffer';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { HoldfastError } from '../domain/errors.ts';
import { hasSomethingToShow } from '../domain/ui-stream.ts';
import type { EngineRunner, PlanRequest, PlanRun } from '../ports/engine-runner.ts';
import { earlyInputs, initArguments, planArguments, showArguments } from './engine-arguments.ts';
import type { EngineSession, EngineTool } from './engine-command.ts';
import { engineEnvironment } from './engine-environment.ts';
import { runPrinting, runStreaming } from './engine-output.ts';
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

/**
 * Runs Terraform or OpenTofu as a child process. It only plans, takes no lock, and leaves no plan file behind.
 *
 * `run` throws `InitFailed`, `PlanFailed` or `EngineFailed` with the place and the engine's summary of the first error,
 * `StackBusy` where somebody holds the lock, `StackNotFound` for a missing directory or workspace, `PlanUnreadable` for
 * a document over the limit, and `EngineMissing`, `UnexpectedExit`, `TimedOut` and `Interrupted`.
 */
export function createTerraformRunner({
  tool,
  env,
  handOn = [],
  cliConfigFile,
  tempRoot = tmpdir(),
  graceMs = 100_000,
  maxDocumentBytes = constants.MAX_STRING_LENGTH,
}: TerraformRunnerOptions): EngineRunner {
  const allowed = engineEnvironment(env, handOn);
  if (cliConfigFile !== undefined) allowed.TF_CLI_CONFIG_FILE = cliConfigFile;
  const run = async (request: PlanRequest, planFile: string): Promise<PlanRun> => {
    const session = { tool, directory: request.directory, graceMs, env: withWorkspace(allowed, request) };
    const planned = await withinLimits(request, async (stop) => {
      const outside = { ...session, env: allowed, stop };
      await initialise(outside, request);
      await requireWorkspace(outside, request);
      return plan({ ...session, stop }, request, planFile);
    });
    const result = { ...planned, engine: { name: tool.name, version: tool.version } };
    if (!hasSomethingToShow(result.stream, result.exitCode)) return result;
    request.onProgress?.({ step: 'show' });
    const args = showArguments(tool, request, planFile);
    const document = await withinLimits(request, (stop) =>
      runPrinting({ ...session, stop }, { name: 'show', args, maxBytes: maxDocumentBytes }),
    );
    return { ...result, document };
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
