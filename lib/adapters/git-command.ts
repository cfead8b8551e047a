import { HoldfastError } from '../domain/errors.ts';
import { createScrub } from '../domain/scrub.ts';
import { runChild } from './child-process.ts';
import { isMissing } from './file-error.ts';

export interface GitSession {
  /** Working directory. */
  readonly folder: string;
  /** The whole environment of Git. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it fetches from, for messages. */
  readonly url: string;
  /** What messages must not show. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** What a Git command answered: its output, or what it complained about. */
export type GitAnswer =
  | { readonly kind: 'done'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly stderr: string };

// It holds no lock that anybody waits for.
const GRACE_MS = 5000;

/** Runs a Git command. Throws the reason of an aborted signal, and `SourceUnavailable` where there is no Git. */
export async function tryGit({ folder, env, signal }: GitSession, args: readonly string[]): Promise<GitAnswer> {
  signal.throwIfAborted();
  const chunks: Buffer[] = [];
  const exit = await runChild({
    file: 'git',
    args,
    cwd: folder,
    env,
    signal,
    graceMs: GRACE_MS,
    onStdout: (chunk) => chunks.push(chunk),
  }).catch((cause: unknown) => {
    if (!isMissing(cause)) throw cause;
    throw new HoldfastError('SourceUnavailable', 'git was not found on PATH', { cause });
  });
  signal.throwIfAborted();
  if ('code' in exit && exit.code === 0) return { kind: 'done', stdout: Buffer.concat(chunks).toString('utf8').trim() };
  const end = 'code' in exit ? `exit code ${exit.code}` : `ended by ${exit.signal}`;
  return { kind: 'failed', stderr: exit.stderr.trim() || end };
}

/** Runs a Git command that has to work. Throws `SourceUnavailable`, beside what {@link tryGit} throws. */
export async function git(session: GitSession, args: readonly string[]): Promise<string> {
  const answer = await tryGit(session, args);
  if (answer.kind === 'done') return answer.stdout;
  throw gitFailure(session, answer.stderr);
}

interface Known {
  readonly sign: RegExp;
  readonly hint: string;
}

const KNOWN: readonly Known[] = [
  {
    sign: /Authentication failed|could not read (?:Username|Password)|Permission denied|terminal prompts disabled/,
    hint: 'give the runner credentials for this host (HOLDFAST_GIT_CREDENTIALS), and these access to the repository',
  },
  {
    sign: /couldn't find remote ref/,
    hint: 'expected a branch, a tag, or all 40 digits of a commit',
  },
  {
    sign: /Host key verification failed/,
    hint: 'put the host\'s keys into "knownHosts" of the secret with the private key',
  },
  {
    sign: /Could not resolve host|Failed to connect|Connection (?:timed out|refused)|Operation too slow/,
    hint: "the Git host can't be reached from where the runner is: check name, routes, NAT and proxy",
  },
  {
    sign: /transport '\w+' not allowed/,
    hint: 'sources are fetched over https or ssh',
  },
];

/** The error for a Git command that failed, with Git's own reason and what to do about it. */
export function gitFailure({ url, secrets }: Pick<GitSession, 'url' | 'secrets'>, stderr: string): HoldfastError {
  const text = createScrub(secrets)(stderr);
  const hint = KNOWN.find(({ sign }) => sign.test(text))?.hint;
  const message = `${url} can't be fetched: ${reasonIn(text)}`;
  return new HoldfastError('SourceUnavailable', message, hint === undefined ? {} : { hint });
}

const LONGEST_REASON = 300;

/** The first line that gives the reason: what follows it is advice, and an `error` may be one that Git lived with. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  // Hosts that are reached over ssh say ERROR.
  const reason = lines.find((line) => /^(?:fatal|ERROR): /.test(line)) ?? lines.at(-1) ?? '';
  return reason.replace(/^[A-Za-z]+: /, '').slice(0, LONGEST_REASON);
}
