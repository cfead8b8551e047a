const SCP_FORM = /^[\w.-]+@([\w.-]+):[^:\s-]\S*$/;

/** Where a Git URL leads. `undefined`: it is no URL that a task can clone from. */
export interface GitHost {
  /** Without a port. */
  readonly name: string;
  /** Whether the URL carries a password, or over HTTPS a user, who might be a token. */
  readonly hasCredentials: boolean;
}

/** Reads `https://…`, `ssh://…` and `user@host:path`. */
export function gitHost(text: string): GitHost | undefined {
  const [, name] = SCP_FORM.exec(text) ?? [];
  if (name !== undefined) return { name, hasCredentials: false };
  const url = URL.parse(text);
  if (url?.protocol === 'https:')
    return { name: url.hostname, hasCredentials: url.username !== '' || url.password !== '' };
  if (url?.protocol === 'ssh:') return { name: url.hostname, hasCredentials: url.password !== '' };
  return undefined;
}
