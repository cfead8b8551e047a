import type { CheckStackDeps } from '../app/check-stack.ts';
import type { Baseline } from '../domain/baseline.ts';
import type { Rules } from '../domain/rules.ts';
import type { OpenedCatalogue } from '../ports/catalogue-source.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { StackFinder } from '../ports/stack-finder.ts';
import type { EngineRequest } from '../ports/toolchain.ts';
import type { Output } from './output.ts';
import type { ProgressDeps } from './progress.ts';
import type { Service, ServiceChoice } from './service.ts';

export interface CheckerOptions {
  readonly engine: EngineRequest;
  /** Directory of the baselines; without one they live as long as the process. */
  readonly stateDirectory: string | undefined;
  /** Names of environment variables that providers need, beyond the usual ones. */
  readonly handOn: readonly string[];
}

export interface LocalOptions {
  /** State folder, relative to the working directory. */
  readonly state: string;
  /** Begin anew. */
  readonly fresh: boolean;
  /** Catalogue file or folder of the user's own; without one, the demo runs. */
  readonly catalogue: string | undefined;
  /** How often due stacks are looked for, in milliseconds. */
  readonly everyMs: number;
  /** End when the story of the demo is over. */
  readonly once: boolean;
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
  /** A catalogue on this machine: its files or folders, and copies of repositories by their URLs. */
  openCatalogue(
    paths: readonly string[],
    checkouts: readonly { readonly url: string; readonly directory: string }[],
  ): Promise<OpenedCatalogue>;
  /** Resolves after a while. Rejects where the signal aborts first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Throws `ServiceFailed` where there is no such Holdfast. */
  connect(choice: ServiceChoice): Promise<Service>;
  /** Shows the main job on example stacks against an embedded emulator. Resolves with the exit code. */
  demo(): Promise<number>;
  /** Runs the whole service on this machine until it is interrupted. Resolves with the exit code. */
  local(options: LocalOptions): Promise<number>;
}
