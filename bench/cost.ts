import { printTable } from './table.ts';

/**
 * `npm run bench:cost`: the tables of docs/cost.md. Change what is below, and see what it comes to.
 *
 * List prices in US dollars, us-east-1, without free tiers, as published in 2026. Check them before you rely on them:
 * https://aws.amazon.com/fargate/pricing, /dynamodb/pricing/on-demand, /lambda/pricing, /s3/pricing, /vpc/pricing,
 * /cloudwatch/pricing, /kms/pricing, /secrets-manager/pricing
 */
const PRICES = {
  fargateVcpuHour: 0.03238,
  fargateGbHour: 0.00356,
  /** Of the price on demand. Spot moves with the market: 0.3 is the lowest that AWS names. */
  spotShare: 0.3,
  publicIpHour: 0.005,
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2e-6,
  s3Put: 0.005e-3,
  s3Get: 0.0004e-3,
  s3GbMonth: 0.023,
  logsGb: 0.5,
  schedulerInvocation: 1e-6,
  metricMonth: 0.3,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  keyMonth: 1,
  secretMonth: 0.4,
  registryGbMonth: 0.1,
} as const;

/** A task of usual size (arm64) and a check of usual length: from the pull of the image to the end, 1 minute at least. */
const CHECK = {
  vcpus: 1,
  gb: 2,
  seconds: 75,
  /** Of the table, from `npm run bench:dispatch` with 10,000 stacks. */
  readUnits: 11.3,
  writeUnits: 12.7,
  /**
   * Of the indexes, which the emulator does not count. An entry that moves is deleted and put: claim 2, task 2, record 2.
   * The run enters its index once: 1.
   */
  indexWriteUnits: 7,
  /** spec.json, run.log, result; the plan files of a drifted one are three more. */
  puts: 3,
  /** The runner reads the spec, the recorder the result. */
  gets: 2,
  storedKb: 30,
  /** Days for which results are kept. */
  retentionDays: 90,
  /** Of the runner and of both functions. */
  logKb: 4,
  /** The recorder: half a dozen requests one after the other. */
  recordMs: 120,
  /** A share of the dispatcher: half a second for a launch, eight at a time. */
  dispatchMs: 500 / 8,
} as const;

const LAMBDA_GB = 0.5;
const HOURS_A_MONTH = 730;
const KB_A_GB = 1024 * 1024;

const lambda = (ms: number): number => (LAMBDA_GB * ms * PRICES.lambdaGbSecond) / 1000;
const perHour = (hourly: number): number => (hourly * CHECK.seconds) / 3600;

/** One check, by what it pays for. */
function partsOf(capacity: 'Spot' | 'on demand'): Readonly<Record<string, number>> {
  const hourly = CHECK.vcpus * PRICES.fargateVcpuHour + CHECK.gb * PRICES.fargateGbHour;
  const storage = (CHECK.storedKb / KB_A_GB) * PRICES.s3GbMonth * (CHECK.retentionDays / 30);
  return {
    Fargate: perHour(hourly) * (capacity === 'Spot' ? PRICES.spotShare : 1),
    'public IPv4': perHour(PRICES.publicIpHour),
    DynamoDB: CHECK.readUnits * PRICES.readUnit + (CHECK.writeUnits + CHECK.indexWriteUnits) * PRICES.writeUnit,
    S3: CHECK.puts * PRICES.s3Put + CHECK.gets * PRICES.s3Get + storage,
    Lambda: lambda(CHECK.recordMs) + PRICES.lambdaRequest + lambda(CHECK.dispatchMs),
    Logs: (CHECK.logKb / KB_A_GB) * PRICES.logsGb,
  };
}

const sum = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((total, part) => total + part, 0);

/** A deployment that checks nothing, a month. */
const FIXED: Readonly<Record<string, number>> = {
  // A minute of the smallest task every 5 minutes.
  'reading the catalogue':
    12 *
    HOURS_A_MONTH *
    ((0.25 * PRICES.fargateVcpuHour + 0.5 * PRICES.fargateGbHour + PRICES.publicIpHour) / 60 +
      PRICES.s3Put +
      PRICES.schedulerInvocation),
  // 32 queries of half a read unit, in 400 ms.
  'dispatcher, once a minute':
    60 * HOURS_A_MONTH * (lambda(400) + PRICES.lambdaRequest + 16 * PRICES.readUnit + PRICES.schedulerInvocation),
  // 8 metrics of the service; checks and durations by 8 verdicts.
  'metrics, alarms, dashboard': 24 * PRICES.metricMonth + 20 * PRICES.alarmMonth + PRICES.dashboardMonth,
  'key, secrets, image': PRICES.keyMonth + 2 * PRICES.secretMonth + PRICES.registryGbMonth,
};

const INTERVALS: readonly (readonly [string, number])[] = [
  ['5 minutes', 12 * HOURS_A_MONTH],
  ['1 hour', HOURS_A_MONTH],
  ['6 hours', HOURS_A_MONTH / 6],
  ['1 day', HOURS_A_MONTH / 24],
];

const micro = (dollars: number): string => (dollars * 1e6).toFixed(1);
const spot = partsOf('Spot');
const onDemand = partsOf('on demand');

console.log(`One check of ${CHECK.seconds} s with ${CHECK.vcpus} vCPU and ${CHECK.gb} GB, in millionths of a dollar`);
printTable(
  ['', 'Spot', 'on demand'],
  [
    ...Object.keys(spot).map((part) => [part, micro(spot[part] ?? 0), micro(onDemand[part] ?? 0)]),
    ['total', micro(sum(spot)), micro(sum(onDemand))],
  ],
);

console.log('\n1,000 stacks a month, in dollars');
printTable(
  ['checked every', 'checks', 'Spot', 'on demand'],
  INTERVALS.map(([name, checks]) => [
    name,
    String(Math.round(checks * 1000)),
    (sum(spot) * checks * 1000).toFixed(0),
    (sum(onDemand) * checks * 1000).toFixed(0),
  ]),
);

console.log('\nBefore the first check, in dollars a month');
printTable(
  ['', 'a month'],
  [...Object.entries(FIXED).map(([part, dollars]) => [part, dollars.toFixed(2)]), ['total', sum(FIXED).toFixed(2)]],
);
