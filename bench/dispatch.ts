import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Simulated, simulateService } from './simulate-service.ts';
import { median, printTable } from './table.ts';

/**
 * `npm run bench:dispatch`: the dispatcher and the recorder, with their DynamoDB adapters over an emulator, on a clock that
 * is moved by hand. One stack in ten is checked every 5 minutes, the others every hour.
 */
const SIZES = [100, 1000, 10_000];
const MINUTES = 15;

const HEADING = [
  'stacks',
  'checks',
  'late s p50',
  'late s p99',
  'duplicates',
  'reads',
  'writes',
  'RRU',
  'WRU',
  'dispatch ms',
  'record ms',
  'tick ms',
];

function rowOf(stacks: number, simulated: Simulated): string[] {
  const { lateness, duplicates, checks, database, dispatchMs, recordMs, ticks } = simulated;
  const per = (total: number) => (total / checks).toFixed(1);
  const sorted = lateness.toSorted((left, right) => left - right);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  return [
    String(stacks),
    String(checks),
    (median(lateness) / 1000).toFixed(1),
    (p99 / 1000).toFixed(1),
    String(duplicates),
    per(database.reads),
    per(database.writes),
    per(database.readUnits),
    per(database.writeUnits),
    per(dispatchMs),
    per(recordMs),
    (dispatchMs / ticks).toFixed(0),
  ];
}

const database = fork(join(import.meta.dirname, 'dynamo-process.ts'));
const [endpoint] = (await once(database, 'message')) as [string];
const rows: string[][] = [];
for (const stacks of SIZES) {
  console.error(`${stacks} stacks, ${MINUTES} minutes`);
  rows.push(rowOf(stacks, await simulateService({ endpoint, stacks, minutes: MINUTES })));
}
database.disconnect();
console.log(`\n${MINUTES} simulated minutes; reads, writes, units and milliseconds of processor time are per check`);
printTable(HEADING, rows);
