/** A root module to check: its directory, and the name it goes by in results. */
export interface StackFolder {
  readonly stack: string;
  /** Absolute. */
  readonly directory: string;
}

export interface StackFinder {
  /**
   * Finds the root modules that directories or globs name, each once, in the order of the patterns. Throws
   * `StackNotFound` for a pattern that names none.
   */
  find(patterns: readonly string[]): Promise<readonly StackFolder[]>;
}
