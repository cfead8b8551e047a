/** What the process gives to whatever the task does. */
export interface TaskContext {
  /** Of the process: the engine gets a part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the task is to end. */
  readonly signal: AbortSignal;
  /** Writes a line to the log of the container. */
  readonly say: (message: string) => void;
}
