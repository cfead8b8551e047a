import { describeDuration } from '../domain/describe.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import type { RunProgress } from '../ports/engine-runner.ts';
import { createScreen, type ScreenStream } from './screen.ts';
import { cut } from './text-layout.ts';

/** Tells on stderr how far running checks are. */
export interface Progress {
  start(stack: string): void;
  update(stack: string, progress: RunProgress): void;
  done(stack: string, verdictText: string): void;
  /** Takes the live lines away and stops redrawing. To be called before anything else is printed. */
  close(): void;
}

export interface ProgressDeps {
  readonly stream: ScreenStream;
  /** True: lines that redraw themselves. False, for logs and pipes: one line at the start and one at the end of a stack. */
  readonly live: boolean;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
}

export function createProgress(deps: ProgressDeps): Progress {
  return deps.live ? createLiveProgress(deps) : createLineProgress(deps);
}

/** For `--quiet`. */
export const silentProgress: Progress = { start() {}, update() {}, done() {}, close() {} };

function createLineProgress({ stream, now }: ProgressDeps): Progress {
  const started = new Map<string, number>();
  return {
    start(stack) {
      started.set(stack, now());
      stream.write(`${escapeUnsafe(stack)}: checking\n`);
    },
    update() {},
    done(stack, verdictText) {
      const time = describeDuration(now() - (started.get(stack) ?? now()));
      stream.write(`${escapeUnsafe(`${stack}: ${verdictText}`)} (${time})\n`);
    },
    close() {},
  };
}

interface Running {
  readonly since: number;
  readonly step: string;
}

const REDRAW_MS = 100;
// Keeps the times running while nothing is reported.
const TICK_MS = 1000;

function createLiveProgress({ stream, now }: ProgressDeps): Progress {
  const running = new Map<string, Running>();
  const verdicts: string[] = [];
  const screen = createScreen(stream);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let tick: NodeJS.Timeout | undefined;

  const draw = () => {
    drawnAt = now();
    const width = screen.width();
    screen.show(liveLines(running, verdicts, drawnAt).map((line) => cut(line, width)));
  };
  const drawAtTimes = () => {
    if (now() - drawnAt >= REDRAW_MS) draw();
  };
  const stop = () => {
    clearInterval(tick);
    tick = undefined;
  };

  return {
    start(stack) {
      running.set(stack, { since: now(), step: 'starting' });
      // A process that has nothing else to wait for must be able to end.
      tick ??= setInterval(drawAtTimes, TICK_MS).unref();
      drawAtTimes();
    },
    update(stack, progress) {
      const { since } = running.get(stack) ?? { since: now() };
      running.set(stack, { since, step: stepText(progress) });
      drawAtTimes();
    },
    done(stack, verdictText) {
      running.delete(stack);
      verdicts.push(verdictText);
      if (running.size === 0) stop();
      drawAtTimes();
    },
    close() {
      stop();
      running.clear();
      screen.show([]);
    },
  };
}

function stepText(progress: RunProgress): string {
  switch (progress.step) {
    case 'init':
      return 'initialising';
    case 'plan':
      return 'planning';
    case 'show':
      return 'reading the plan';
    case 'refresh':
      return progress.count === 1 ? '1 resource refreshed' : `${progress.count} resources refreshed`;
  }
}

const MOST_LINES = 10;

function liveLines(running: ReadonlyMap<string, Running>, verdicts: readonly string[], now: number): readonly string[] {
  const lines = [...running].map(
    ([stack, { since, step }]) => `${escapeUnsafe(stack)}: ${step}, ${Math.floor((now - since) / 1000)}s`,
  );
  const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
  return [...lines.slice(0, MOST_LINES), ...more, ...doneLine(verdicts)];
}

function doneLine(verdicts: readonly string[]): readonly string[] {
  if (verdicts.length === 0) return [];
  const counts = [...Map.groupBy(verdicts, (verdict) => verdict)].map(
    ([verdict, alike]) => `${alike.length} ${verdict}`,
  );
  return [escapeUnsafe(`${verdicts.length} done: ${counts.join(', ')}`)];
}
