/**
 * Every way Holdfast can break a promise. Codes are public contract: they show up in results, logs and exit messages,
 * and later in alarms and Step Functions `Catch` clauses.
 */
export type HoldfastErrorCode =
  | 'ArgumentInvalid'
  | 'BaselineUnreadable'
  | 'BaselineUnwritable'
  | 'CatalogueInvalid'
  | 'ChecksumMismatch'
  | 'DownloadFailed'
  | 'EngineFailed'
  | 'EngineMissing'
  | 'ExitCodeDisagrees'
  | 'InitFailed'
  | 'Interrupted'
  | 'ItemTooLarge'
  | 'ItemUnreadable'
  | 'LaunchFailed'
  | 'OutOfMemory'
  | 'PlanErrored'
  | 'PlanFailed'
  | 'PlanUnreadable'
  | 'ResultUnreadable'
  | 'RoleUnavailable'
  | 'RulesInvalid'
  | 'RunNotFound'
  | 'SecretUnavailable'
  | 'ServiceFailed'
  | 'SourceUnavailable'
  | 'SourceUnreadable'
  | 'StackBusy'
  | 'StackNotFound'
  | 'StackRemoved'
  | 'TaskLost'
  | 'TaskNotStarted'
  | 'TimedOut'
  | 'UnexpectedExit';

/** Where in the user's files something went wrong. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface HoldfastErrorOptions extends ErrorOptions {
  /** What the reader can do about it, as a sentence. */
  readonly hint?: string;
  readonly location?: SourceLocation;
  /** Values that the message may quote and that must not be shown. */
  readonly secrets?: readonly string[];
}

/** A broken promise, as opposed to an expected outcome (which is a return value). */
export class HoldfastError extends Error {
  readonly code: HoldfastErrorCode;
  readonly hint: string | undefined;
  readonly location: SourceLocation | undefined;
  // Private, so that nothing that prints an error prints them.
  readonly #secrets: readonly string[];

  constructor(code: HoldfastErrorCode, message: string, options: HoldfastErrorOptions = {}) {
    const { hint, location, secrets = [], ...rest } = options;
    super(message, rest);
    this.code = code;
    // Step Functions matches on `name`, so it carries the code rather than the class name.
    this.name = code;
    this.hint = hint;
    this.location = location;
    this.#secrets = secrets;
  }

  get secrets(): readonly string[] {
    return this.#secrets;
  }
}

/** Closes a switch over a union: adding a member without handling it fails the type check. */
export function assertNever(value: never): never {
  throw new TypeError(`unhandled case ${JSON.stringify(value)}`);
}
