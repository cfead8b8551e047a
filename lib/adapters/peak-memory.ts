import { readdir, readFile } from 'node:fs/promises';

export interface PeakMemoryOptions {
  /** @default '/proc' */
  readonly proc?: string;
  /** @default '/sys/fs/cgroup' */
  readonly cgroup?: string;
  /** Time between two looks at the processes, where the kernel keeps no record. @default 1000 */
  readonly everyMs?: number;
  /** Whose processes, its own included. @default - this process */
  readonly pid?: number;
}

export interface PeakMemory {
  /** The most memory that was in use at one time, in MiB; `null` where this system doesn't tell. */
  mebibytes(): Promise<number | null>;
  stop(): void;
}

/**
 * Measures how much memory the run takes, with all its child processes: what the kernel has recorded for the container,
 * page cache included, else the largest sum of resident sets that was seen.
 */
export function measurePeakMemory({
  proc = '/proc',
  cgroup = '/sys/fs/cgroup',
  everyMs = 1000,
  pid = process.pid,
}: PeakMemoryOptions = {}): PeakMemory {
  let peak = 0;
  const look = async (): Promise<void> => {
    peak = Math.max(peak, await residentBytes(proc, pid));
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return {
    async mebibytes() {
      await look();
      const bytes = (await recordedBytes(proc, cgroup)) ?? peak;
      return bytes === 0 ? null : Math.ceil(bytes / 1024 ** 2);
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * The record of the container's own control group, which Linux keeps since 5.19. A process that is not at the root of
 * the hierarchy it sees shares its group with others: on a laptop, with a whole session.
 */
async function recordedBytes(proc: string, cgroup: string): Promise<number | undefined> {
  const groups = await readIfAny(`${proc}/self/cgroup`);
  if (groups === undefined || !groups.split('\n').includes('0::/')) return undefined;
  const recorded = await readIfAny(`${cgroup}/memory.peak`);
  return recorded === undefined ? undefined : Number(recorded);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly bytes: number;
}

/** Resident memory of a process and all below it. */
async function residentBytes(proc: string, root: number): Promise<number> {
  const names = await readdir(proc).catch(() => []);
  const processes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(proc, name)),
  );
  const byParent = Map.groupBy(
    processes.filter((found) => found !== undefined),
    ({ parent }) => parent,
  );
  const sum = (process: Process): number =>
    (byParent.get(process.pid) ?? []).reduce((bytes, child) => bytes + sum(child), process.bytes);
  const self = processes.find((process) => process?.pid === root);
  return self === undefined ? 0 : sum(self);
}

async function readProcess(proc: string, name: string): Promise<Process | undefined> {
  const status = await readIfAny(`${proc}/${name}/status`);
  if (status === undefined) return undefined;
  const field = (key: string): number => Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { pid: Number(name), parent: field('PPid'), bytes: field('VmRSS') * 1024 };
}

/** Processes end while they are looked at. */
async function readIfAny(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
