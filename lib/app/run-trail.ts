import { describeLocation } from '../domain/describe.ts';
import { createRunLog } from '../domain/run-log.ts';
import { createScrub } from '../domain/scrub.ts';
import { secretsInText } from '../domain/secrets.ts';
import type { Clock } from '../ports/clock.ts';
import type { EngineLog, PlanRun } from '../ports/engine-runner.ts';

export interface RunTrailDeps {
  readonly clock: Clock;
  readonly ownSecrets: readonly string[];
  readonly say: (message: string) => void;
}

/** What a run has come by so far, for the time when it ends, however it ends. */
export interface RunTrail {
  /** What was checked out; `null` until then. */
  commit: string | null;
  /** The plan, where there is something to show. */
  readonly plan: () => PlanRun | undefined;
  keepPlan(run: PlanRun): PlanRun;
  /** From now on these values are shown nowhere. */
  hide(values: Iterable<string>): void;
  secrets(): readonly string[];
  /** Writes a line to the log of the run, and says it. */
  note(message: string): void;
  readonly engineLog: EngineLog;
  /** The log of the run, without secrets. */
  log(): string;
}

export function createRunTrail({ clock, ownSecrets, say }: RunTrailDeps): RunTrail {
  const secrets = new Set(ownSecrets);
  const log = createRunLog();
  let plan: PlanRun | undefined;
  const hide = (values: Iterable<string>) => {
    for (const value of values) secrets.add(value);
  };
  const write = (message: string) => log.add(clock.now(), message);
  const note = (message: string) => {
    write(message);
    say(createScrub(secrets)(message));
  };
  return {
    commit: null,
    plan: () => plan,
    keepPlan: (run) => {
      plan = run;
      hide(secretsInText(run.document ?? ''));
      return run;
    },
    hide,
    secrets: () => [...secrets],
    note,
    engineLog: {
      command: ({ words, durationMs, end }) => {
        const how = 'code' in end ? `exit code ${end.code}` : end.signal;
        note(`${words.join(' ')}: ${how} after ${durationMs} ms`);
      },
      // Not said: a diagnostic may quote a value that nobody knows to be secret yet.
      diagnostic: ({ severity, summary, location }) =>
        write(`${severity}: ${summary}${location === undefined ? '' : ` (${describeLocation(location)})`}`),
    },
    log: () => log.text(createScrub(secrets)),
  };
}
