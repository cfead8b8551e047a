import type { Json } from '../domain/json.ts';
import type { StackSpec } from '../domain/stack-spec.ts';
import type { EngineLog, EngineRunner, ModuleReader } from './engine-runner.ts';
import type { RoleCredentials } from './role-assumer.ts';

export interface StackEngineRequest {
  readonly engine: StackSpec['engine'];
  /** Environment variables of the stack, with secrets resolved. */
  readonly settings: Readonly<Record<string, string>>;
  readonly region: string | null;
  readonly credentials: RoleCredentials | null;
  readonly vars: Readonly<Record<string, Json>>;
  readonly log: EngineLog;
}

/** An engine with the environment of one stack. It keeps plan files. */
export interface StackEngine {
  readonly engine: EngineRunner;
  readonly modules: ModuleReader;
  /** Files with the stack's variables, for the end of `PlanRequest.varFiles`: values don't belong among arguments. */
  readonly varFiles: readonly string[];
}

export interface StackEngines {
  /** Throws `ArgumentInvalid` for settings that the engine must not have. */
  open(request: StackEngineRequest): Promise<StackEngine>;
}
