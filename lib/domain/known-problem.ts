/** Troubles that have a known way out. */
export type KnownProblem =
  | 'backend-changed'
  | 'credentials'
  | 'lock-held'
  | 'provider-died'
  | 'provider-missing'
  | 'workspace-missing';

interface Known {
  /** Matched against summary and detail on one line. */
  readonly sign: RegExp;
  readonly advice: string;
}

const KNOWN: Readonly<Record<KnownProblem, Known>> = {
  'backend-changed': {
    sign: /backend configuration (?:block has )?changed|approval for state migration|backend initialization required/i,
    advice: 'the directory was initialised for another backend: run init -reconfigure there, or check a fresh copy',
  },
  credentials: {
    sign: /no valid credential sources? found|cannot assume IAM role|failed to refresh cached credentials|ExpiredToken|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|security token included in the request is (?:invalid|expired)/i,
    advice: 'check that the AWS credentials of this run are there, not expired and meant for this account',
  },
  'lock-held': {
    // Without the owner of the lock, it is a lock store that can't be reached: that does not pass by waiting.
    sign: /acquiring the state lock.*Lock Info:/,
    advice: 'somebody else is working on this stack: try again when they are done, or look who holds the lock',
  },
  'provider-died': {
    sign: /^Plugin did not respond/,
    advice: 'a provider process ended early: most often it ran out of memory',
  },
  'provider-missing': {
    sign: /^Failed to (?:query available provider packages|install provider)/,
    advice:
      'the registry could not be reached or lacks the provider: check its source and version, or set up a provider mirror in the file that TF_CLI_CONFIG_FILE names',
  },
  'workspace-missing': {
    sign: /^Currently selected workspace/,
    advice: 'select a workspace that exists in the directory, with "workspace select"',
  },
};

const PROBLEMS = Object.keys(KNOWN) as KnownProblem[];

/** Says which known problem a diagnostic is about, if any. The first match wins. */
export function recogniseProblem(summary: string, detail: string): KnownProblem | undefined {
  // Text is wrapped at the width of a terminal, so a space may be a line break.
  const text = `${summary} ${detail}`.replace(/\s+/g, ' ');
  return PROBLEMS.find((problem) => KNOWN[problem].sign.test(text));
}

/** What the reader can do about it, as a sentence. */
export function adviceFor(problem: KnownProblem): string {
  return KNOWN[problem].advice;
}
