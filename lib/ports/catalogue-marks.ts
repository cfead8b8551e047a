/** What is remembered of catalogues, so that none is taken over or complained about twice. */
export interface CatalogueMarks {
  /** SHA-256 (hex) of the stacks that were taken over last; `null`: none were. */
  readonly applied: string | null;
  /** What was announced as invalid since the last good catalogue, newest last. */
  readonly announced: readonly string[];
}

/** Keeps the marks, in one small item. */
export interface CatalogueMarkStore {
  get(): Promise<CatalogueMarks>;
  put(marks: CatalogueMarks): Promise<void>;
}
