import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../lib/adapters/sha256.ts';
import { explainPlan } from '../lib/app/explain-plan.ts';
import { NO_RULES } from '../lib/domain/rules.ts';
import { generatePlan } from './generate-plan.ts';
import { median, printTable } from './table.ts';

/** `npm run bench:classify`: time and peak memory to conclude a 20,000-resource plan, against `JSON.parse` alone. */
const RESOURCES = 20_000;
const ROUNDS = 7;

interface Sample {
  readonly ms: number;
  readonly peakMiB: number;
}

// Each sample is a process of its own: heap and peak memory of one can't colour the next.
function measure(what: string, file: string): Sample {
  const output = execFileSync(process.execPath, [import.meta.filename, what, file], { encoding: 'utf8' });
  return JSON.parse(output) as Sample;
}

function runOnce(what: string, file: string): Sample {
  const text = readFileSync(file, 'utf8');
  const start = performance.now();
  if (what === 'parse') JSON.parse(text);
  else explain(text);
  const ms = performance.now() - start;
  return { ms, peakMiB: process.resourceUsage().maxRSS / 1024 };
}

function explain(document: string): void {
  const input = { stack: 'bench', document, ui: undefined, exitCode: 2, baseline: undefined, rules: NO_RULES };
  explainPlan({ clock: { now: () => new Date() }, sha256 }, input);
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  try {
    const file = join(folder, 'plan.json');
    const text = generatePlan(RESOURCES);
    writeFileSync(file, text);
    const pairs = Array.from({ length: ROUNDS }, () => [measure('parse', file), measure('explain', file)] as const);
    const row = (name: string, of: keyof Sample) => {
      const parse = median(pairs.map(([sample]) => sample[of]));
      const explained = median(pairs.map(([, sample]) => sample[of]));
      const ratio = median(pairs.map(([bare, ours]) => ours[of] / bare[of]));
      return [name, parse.toFixed(0), explained.toFixed(0), ratio.toFixed(2), '<= 3'];
    };
    console.log(
      `${RESOURCES} resources, ${(text.length / 2 ** 20).toFixed(0)} MiB of JSON, median of ${ROUNDS} interleaved rounds`,
    );
    printTable(
      ['', 'JSON.parse', 'holdfast', 'ratio', 'goal'],
      [row('time (ms)', 'ms'), row('peak memory (MiB)', 'peakMiB')],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [what, file] = process.argv.slice(2);
if (what === undefined || file === undefined) main();
else console.log(JSON.stringify(runOnce(what, file)));
