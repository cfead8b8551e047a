import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { atExit } from '../adapters/exit-tasks.ts';
import type { ProcessEnd } from '../domain/engine-failure.ts';
import type { Container } from './ecs-tasks.ts';

export interface TaskProcessOptions {
  /** Program of the runner: a file for Node. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Takes what it prints. */
  readonly logFile: string;
}

/** Runs the runner as a process of its own, in the place of a container: a kill takes everything in it along. */
export function startTaskProcess({ script, env, logFile }: TaskProcessOptions): Container {
  const log = openSync(logFile, 'a', 0o600);
  // Leads a group of its own: a Ctrl-C in the terminal is for us, who then stop it in order.
  const child = spawn(process.execPath, [script], { env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const release = atExit(() => killAll(child.pid));
  const ended = once(child, 'exit').then((): ProcessEnd => {
    release();
    return child.exitCode === null ? { signal: child.signalCode ?? 'SIGKILL' } : { code: child.exitCode };
  });
  ended.catch(release);
  return {
    ended,
    signal: (signal) => (signal === 'SIGKILL' ? killAll(child.pid) : void child.kill(signal)),
  };
}

/** The process and all its descendants, also those that lead groups of their own, as the engine does. */
function killAll(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const each of [pid, ...descendantsOf(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function descendantsOf(pid: number): readonly number[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const found: number[] = [];
  for (let next = [pid]; next.length > 0; ) {
    next = next.flatMap((parent) => (children.get(parent) ?? []).map((child) => child.pid));
    found.push(...next);
  }
  return found;
}

function listProcesses(): readonly { readonly pid: number; readonly parent: number }[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  // Small systems have no ps.
  const lines = stdout?.trim().split('\n') ?? [];
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent };
  });
}
