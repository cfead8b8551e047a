import type { InputDigests, PlanMode } from '../domain/finding.ts';
import type { IgnoreChangesIndex } from '../domain/ignore-changes.ts';
import type { UiStream } from '../domain/ui-stream.ts';

/** What to plan: one root module with its workspace and inputs. */
export interface PlanRequest {
  /** Directory of the root module, absolute. */
  readonly directory: string;
  /** `default`, the workspace selected in the directory, or the one named here. */
  readonly workspace?: string;
  /** `key=value` or file names, passed to `init -backend-config=…` in this order. */
  readonly backendConfig: readonly string[];
  /** Files for `-var-file=…`, relative to the directory or absolute, in this order. */
  readonly varFiles: readonly string[];
  /** `name=value` for `-var …`, in this order. */
  readonly vars: readonly string[];
  readonly mode: PlanMode;
  /** For `init` and `plan` together. */
  readonly timeoutMs: number;
  /** Stops the run: the engine gets one interrupt, time to finish, then a kill. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

export type RunProgress =
  | { readonly step: 'init' | 'plan' | 'show' }
  /** Resources refreshed so far in this plan. */
  | { readonly step: 'refresh'; readonly count: number };

/** A finished run of the engine. Throws `HoldfastError` where there is none. */
export interface PlanRun {
  readonly exitCode: number;
  readonly stream: UiStream;
  /** `show -json` of the plan, unparsed. Absent where the stream says there is nothing to show, or the plan failed. */
  readonly document?: string;
  readonly engine: { readonly name: 'terraform' | 'tofu'; readonly version: string };
}

export interface EngineRunner {
  run(request: PlanRequest): Promise<PlanRun>;
}

/** What the files of a root module and its local modules say that a plan document does not. */
export interface ModuleSource {
  readonly digests: InputDigests;
  readonly ignoreChanges: IgnoreChangesIndex;
}

export interface ModuleReader {
  /** Reads an initialised root module. */
  read(request: PlanRequest): Promise<ModuleSource>;
}
