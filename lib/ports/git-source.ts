export interface Repository {
  /** `https://…`, `ssh://…` or `user@host:path`. Never with credentials in it. */
  readonly url: string;
  /** Branch, tag, or all 40 digits of a commit. */
  readonly ref: string;
  readonly signal: AbortSignal;
}

export interface CheckoutRequest extends Repository {
  /** Relative to the root of the repository; `.` or nothing for the root itself. */
  readonly path: string;
  /**
   * `all`, because a configuration may read any file of its repository, or only the `part` at and below `path`: where
   * the server can do that, the rest is not even fetched.
   */
  readonly files: 'all' | 'part';
}

export interface Checkout {
  /** Absolute: the root of the repository. */
  readonly root: string;
  /** Absolute: what is at `path`. A folder; of a part, maybe a file. */
  readonly location: string;
  /** What the ref stood for: 40 hex digits. */
  readonly commit: string;
}

/** All methods throw `SourceUnavailable` for what can't be had, and the reason of an aborted signal. */
export interface GitSource {
  /** Puts the files of one commit on disk. */
  checkout(request: CheckoutRequest): Promise<Checkout>;
  /** Names of all regular files of one commit, relative to its root. */
  list(repository: Repository): Promise<readonly string[]>;
}
