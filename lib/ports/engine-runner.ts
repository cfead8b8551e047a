import type { Diagnostic } from '../domain/diagnostic.ts';
import type { ProcessEnd } from '../domain/engine-failure.ts';
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
  /** Beside the document, from a runner that keeps it. */
  readonly planFile?: PlanFile;
  readonly engine: { readonly name: 'terraform' | 'tofu'; readonly version: string };
}

/** A saved plan: whoever may apply it gets this very file. It holds every value in the clear. */
export interface PlanFile {
  readonly content: Uint8Array;
  /** Of the state it was made from; `null` where the file doesn't tell, as an encrypted one. */
  readonly state: StateIdentity | null;
}

/** Which snapshot of which state: any change of the state makes another. */
export interface StateIdentity {
  /** Empty before there is a state. */
  readonly lineage: string;
  readonly serial: number;
}

/** Told what the engine does, for the log of a run. Arguments and diagnostics may quote values. */
export interface EngineLog {
  command(command: EndedCommand): void;
  diagnostic(diagnostic: Diagnostic): void;
}

export interface EndedCommand {
  /** Name of the engine, command and arguments. */
  readonly words: readonly string[];
  readonly durationMs: number;
  readonly end: ProcessEnd;
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
