import type { CheckStackDeps } from '../app/check-stack.ts';
import type { Baseline } from '../domain/baseline.ts';
import type { Rules } from '../domain/rules.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { StackFinder } from '../ports/stack-finder.ts';
import type { EngineRequest } from '../ports/toolchain.ts';
import type { Output } from './output.ts';
import type { ProgressDeps } from './progress.ts';

export interface CheckerOptions {
  readonly engine: EngineRequest;
  /** Directory of the baselines; without one they live as long as the process. */
  readonly stateDirectory: string | undefined;
  /** Names of environment variables that providers need, beyond the usual ones. */
  readonly handOn: readonly string[];
}

/** What the commands need from the outside. `bin/holdfast.ts` builds it; tests bring their own. */
export interface Services {
  readonly version: string;
  readonly output: Output;
  readonly progressStream: ProgressDeps['stream'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly sha256: Sha256;
  /** How many checks run side by side unless told otherwise. */
  readonly defaultConcurrency: number;
  /** Aborts when the user wants the command to end. */
  readonly signal: AbortSignal;
  readonly stacks: StackFinder;
  readRules(file: string): Promise<Rules>;
  readBaseline(file: string): Promise<Baseline>;
  /** A whole file, or standard input for `-`. */
  readText(file: string): Promise<string>;
  checker(options: CheckerOptions): Promise<CheckStackDeps>;
  /** Shows the main job on example stacks against an embedded emulator. Resolves with the exit code. */
  demo(): Promise<number>;
}
