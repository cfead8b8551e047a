import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { InFlight } from '../../lib/domain/stack-state.ts';
import { suspend } from '../../lib/domain/suspension.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';
import { aCatalogueSource, OWN } from '../support/catalogue-world.ts';
import { anEvent } from '../support/event-builder.ts';
import { aRun } from '../support/run-builder.ts';
import { runOnService, type ServiceWorld } from '../support/service-world.ts';
import { aStack, aSummary, lost, result, runOnce, START } from '../support/stack-builder.ts';

const RUN = '01KJPX4ZZZ0000000000000001';
const inSync = runOnce(aStack(), result(aSummary()), START, RUN);
const finished = aRun({ status: 'succeeded', finishedAt: '2026-03-02T09:01:00.000Z', outcome: result(aSummary()) });
const world: ServiceWorld = { stacks: [inSync, aStack({ id: 'dev/queues' })], runs: [finished] };

const RUNNING: InFlight = {
  runId: RUN,
  trigger: 'schedule',
  attempt: 1,
  startedAt: START.toISOString(),
  deadline: START.toISOString(),
  taskArn: 'arn',
};

const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  ['describe', 'prod/network'],
  ['runs', 'prod/network'],
  ['run', 'show', RUN],
  ['run', 'log', RUN],
  ['suspend', 'prod/network', '--reason', 'x'],
  ['resume', 'prod/network'],
  ['events', '--follow'],
];

describe.each(COMMANDS.map((command) => ({ command, name: command.join(' ') })))('holdfast $name', ({ command }) => {
  it('asks for the service that the options name, and lets go of it', async () => {
    const options = ['--profile', 'sandbox', '--region', 'eu-west-1', '--deployment', 'team'];
    const ran = await runOnService([...command, ...options], {
      ...world,
      results: { [RUN]: aResult({ stack: 'prod/network' }) },
      logs: { [RUN]: 'x' },
    });

    expect(ran.choices).toEqual([
      expect.objectContaining({ profile: 'sandbox', region: 'eu-west-1', deployment: 'team' }),
    ]);
    expect(ran.closed).toBe(1);
    expect(ran.error).toBeUndefined();
  });

  it.each([
    [
      Object.assign(new Error('not authorized'), { name: 'AccessDeniedException', $metadata: {} }),
      'refused: AccessDeniedException',
    ],
    [Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' }), 'AWS refused'],
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), "AWS can't be reached"],
  ])('fails where AWS does not let it in, which is no bug: %s', async (thrown, message) => {
    const { error } = await runOnService(command, { services: { connect: () => Promise.reject(thrown) } });

    expect(error).toMatchObject({ code: 'ServiceFailed', message: expect.stringContaining(message), cause: thrown });
  });

  it('does not call a bug by another name', async () => {
    const bug = new TypeError('undefined is not a function');

    expect((await runOnService(command, { services: { connect: () => Promise.reject(bug) } })).error).toBe(bug);
  });
});

describe('holdfast status', () => {
  it('shows all stacks in the order of their ids', async () => {
    const { stdout, exitCode } = await runOnService(['status'], world);

    expect(stdout).toMatch(/STACK.*\n· {2}dev\/queues .*\n✓ {2}prod\/network /);
    expect(exitCode).toBe(0);
  });

  it('shows those whose ids match', async () => {
    const { stdout } = await runOnService(['status', 'prod/*'], world);

    expect(stdout).toContain('prod/network');
    expect(stdout).not.toContain('dev/queues');
  });

  it('speaks to programs', async () => {
    const { stdout } = await runOnService(['status', '--json'], world);

    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual(['dev/queues', 'prod/network']);
  });

  it('passes the state folder of a local mode on, or that it is the usual one', async () => {
    expect((await runOnService(['status', '--local'], world)).choices[0]?.local).toBe(true);
    expect((await runOnService(['status', '--local', 'here'], world)).choices[0]?.local).toBe('here');
  });
});

describe('holdfast status --watch', () => {
  const watching = (over: Partial<ServiceWorld> = {}) => {
    const stop = new AbortController();
    let rounds = 0;
    return runOnService(['status', '--watch'], {
      ...world,
      services: { signal: stop.signal },
      onWait: async ({ stacks }) => {
        rounds += 1;
        if (rounds === 2) await stacks.saveState(suspend(inSync.state, 'migration'));
        if (rounds === 3) stop.abort();
      },
      ...over,
    });
  };

  it('prints a new table into a pipe when something has changed, until it is interrupted', async () => {
    const { stdout, exitCode } = await watching();

    expect(stdout.match(/2 stacks: .*/g)).toEqual([
      '2 stacks: 1 in sync, 1 not checked yet',
      '2 stacks: 1 in sync, 1 not checked yet, 1 suspended',
    ]);
    expect(exitCode).toBe(0);
  });
});

describe('holdfast describe', () => {
  it('shows one stack', async () => {
    const { stdout, exitCode } = await runOnService(['describe', 'prod/network'], world);

    expect(stdout).toMatch(/^✓ prod\/network {2}in sync/);
    expect(exitCode).toBe(0);
  });

  it('speaks to programs', async () => {
    const { stdout } = await runOnService(['describe', 'prod/network', '--json'], world);

    expect(JSON.parse(stdout)).toEqual({
      spec: inSync.spec,
      state: inSync.state,
      lastRun: finished,
      origins: {},
    });
  });

  it('shows where settings come from in a catalogue at hand', async () => {
    const source = aCatalogueSource('stacks:\n  - id: prod/network\n    source: { path: net }\n    timeout: 30m\n');
    const { stdout } = await runOnService(['describe', 'prod/network', '--catalogue', 'catalogue.yaml'], {
      ...world,
      services: { openCatalogue: async () => ({ source, repository: OWN }) },
    });

    expect(stdout).toMatch(/timeout +30m {2}\[stack, catalogue\.yaml:4/);
  });

  it('fails on a stack that is not there, and names the one that was probably meant', async () => {
    const { error, stdout } = await runOnService(['describe', 'prod/netwrk'], world);

    expect(error).toMatchObject({ code: 'StackNotFound', hint: 'did you mean "prod/network"?' });
    expect(stdout).toBe('');
  });
});

describe('holdfast runs', () => {
  it('lists the runs of a stack', async () => {
    const { stdout, exitCode } = await runOnService(['runs', 'prod/network'], world);

    expect(stdout).toMatch(new RegExp(`RUN.*\n✓ {2}${RUN} .* in sync\n$`));
    expect(exitCode).toBe(0);
  });

  it('speaks to programs, about as many as they want', async () => {
    const runs = [finished, aRun({ runId: '01KJPX4ZZZ0000000000000002' })];
    const { stdout } = await runOnService(['runs', 'prod/network', '--json', '--limit', '1'], { ...world, runs });

    expect(JSON.parse(stdout)).toEqual([runs[1]]);
  });

  it('says so where a stack has none', async () => {
    expect((await runOnService(['runs', 'dev/queues'], world)).stdout).toBe('no runs\n');
  });

  it('fails on a stack that was never there', async () => {
    expect((await runOnService(['runs', 'dev/nope'], world)).error).toMatchObject({ code: 'StackNotFound' });
  });
});

describe('holdfast run show', () => {
  const drift = aResult({ stack: 'prod/network', verdict: 'drifted', findings: [aFinding()] });

  it('reports a result as check does, with its exit code', async () => {
    const { stdout, exitCode } = await runOnService(['run', 'show', RUN], { ...world, results: { [RUN]: drift } });

    expect(stdout).toMatch(/^≠ prod\/network {2}drifted .*\n {2}medium {4}aws_sqs_queue\.jobs\n/);
    expect(exitCode).toBe(2);
  });

  it('reports in the formats of check', async () => {
    const args = ['run', 'show', RUN, '--format', 'json', '--fail-on', 'high'];
    const { stdout, exitCode } = await runOnService(args, { ...world, results: { [RUN]: drift } });

    expect(JSON.parse(stdout)).toEqual(drift);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['it does not know', [], { code: 'RunNotFound' }],
    ['that has not ended', [aRun()], { code: 'RunNotFound', message: `run ${RUN} has no result yet: it is queued` }],
    [
      'that was lost',
      [aRun({ outcome: lost('out of memory') })],
      { code: 'TaskLost', message: `run ${RUN} ended without a result: out of memory` },
    ],
    ['whose result was deleted', [finished], { code: 'ResultUnreadable', message: expect.stringContaining('is gone') }],
  ])('fails on a run %s', async (_, runs, expected) => {
    const { error, stdout } = await runOnService(['run', 'show', RUN], { runs });

    expect(error).toMatchObject(expected);
    expect(stdout).toBe('');
  });

  it('hands on what can be done about a lost run', async () => {
    const outcome = { ...lost(), failure: { code: 'OutOfMemory', message: 'too small', hint: 'raise task.memory' } };

    expect((await runOnService(['run', 'show', RUN], { runs: [aRun({ outcome })] })).error).toMatchObject({
      hint: 'raise task.memory',
    });
  });
});

describe('holdfast run log', () => {
  it.each(['one\ntwo', 'one\ntwo\n'])('prints the log of a run', async (log) => {
    const { stdout, exitCode } = await runOnService(['run', 'log', RUN], { ...world, logs: { [RUN]: log } });

    expect(stdout).toBe('one\ntwo\n');
    expect(exitCode).toBe(0);
  });

  it.each([
    ['it does not know', [], /no run/],
    ['that has not ended', [aRun()], /when it ends/],
    ['that left none', [finished], /without one/],
  ])('fails on a run %s', async (_, runs, message) => {
    expect((await runOnService(['run', 'log', RUN], { runs })).error).toMatchObject({
      code: 'RunNotFound',
      message: expect.stringMatching(message),
    });
  });
});

describe('holdfast suspend and resume', () => {
  it('takes a stack out of its schedule and says why', async () => {
    const { stderr, service, exitCode } = await runOnService(
      ['suspend', 'prod/network', '--reason', 'migration'],
      world,
    );

    expect((await service.stacks.get('prod/network'))?.state).toMatchObject({
      suspended: 'migration',
      nextDueAt: null,
    });
    expect(stderr).toBe('prod/network is suspended: migration\n');
    expect(exitCode).toBe(0);
  });

  it('says that a run in flight goes on', async () => {
    const stacks = [{ ...inSync, state: { ...inSync.state, inFlight: RUNNING } }];

    expect((await runOnService(['suspend', 'prod/network', '--reason', 'x'], { stacks })).stderr).toContain(
      `; run ${RUN} comes to its end`,
    );
  });

  it('fails without a reason', async () => {
    const { stderr, exitCode } = await runOnService(['suspend', 'prod/network'], world);

    expect(stderr).toContain("required option '--reason <text>' not specified");
    expect(exitCode).toBe(1);
  });

  it('puts a stack back', async () => {
    const stacks = [{ ...inSync, state: suspend(inSync.state, 'migration') }];
    const { stderr, service, exitCode } = await runOnService(['resume', 'prod/network'], { stacks });

    expect((await service.stacks.get('prod/network'))?.state).toMatchObject({
      suspended: null,
      nextDueAt: expect.any(String),
    });
    expect(stderr).toMatch(/^prod\/network is checked again: in \d+m\n$/);
    expect(exitCode).toBe(0);
  });

  it('fails on a stack that the catalogue keeps suspended', async () => {
    const stacks = [aStack({ suspended: 'not ours' }, { suspended: 'migration' })];
    const { stderr, exitCode } = await runOnService(['resume', 'prod/network'], { stacks });

    expect(stderr).toBe('prod/network stays suspended by the catalogue: not ours\n');
    expect(exitCode).toBe(1);
  });
});

describe('holdfast events', () => {
  const events = [anEvent(), anEvent({ type: 'drift.resolved', sequence: 2 })];

  it('prints what is published', async () => {
    const { stdout, stderr, exitCode } = await runOnService(['events', '--follow'], { events });

    expect(stdout).toMatch(/^09:02:00 {2}drift\.detected .*\n09:02:00 {2}drift\.resolved .*\n$/);
    expect(stderr).toContain('following the events of the service of this test');
    expect(exitCode).toBe(0);
  });

  it('prints it for programs, one document a line', async () => {
    const { stdout } = await runOnService(['events', '--follow', '--json'], { events });

    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(events);
  });

  it('fails without --follow: events are not kept', async () => {
    expect((await runOnService(['events'], { events })).exitCode).toBe(1);
  });
});

describe('holdfast check --stack', () => {
  /** The dispatcher and a runner, one step at a time. */
  const served = (end: Parameters<typeof aResult>[0]): ServiceWorld => {
    let step = 0;
    const run = aRun({ runId: '01KJPX4ZZZ0000000000000009', trigger: 'manual' });
    return {
      ...world,
      onWait: async (service) => {
        step += 1;
        const { runId, stackId } = run;
        const stack = await service.stacks.get(stackId);
        if (step === 1 && stack !== undefined) {
          await service.stacks.saveState({
            ...stack.state,
            version: stack.state.version + 1,
            inFlight: { ...RUNNING, runId },
          });
          await service.runs.create(run);
        }
        if (step === 2) await service.runs.started(runId, 'arn');
        if (step !== 3) return;
        const report = { schemaVersion: 1, runId, stackId, commit: null, peakMemoryMiB: null } as const;
        await service.artifacts.putReport({ ...report, result: aResult({ ...end, stack: stackId }) });
        await service.runs.finish(runId, result(aSummary()), START);
      },
    };
  };

  it('asks for a check, tells how far it is, waits, and reports', async () => {
    const { stdout, stderr, exitCode } = await runOnService(['check', '--stack', 'prod/network'], served({}));

    expect(stderr).toBe(
      'prod/network: asked for, waiting for the dispatcher\n' +
        'prod/network: run 01KJPX4ZZZ0000000000000009 waits for its task\n' +
        'prod/network: run 01KJPX4ZZZ0000000000000009 is checking\n',
    );
    expect(stdout).toMatch(/^✓ prod\/network {2}in sync /);
    expect(exitCode).toBe(0);
  });

  it('exits as check does', async () => {
    const drift = { verdict: 'drifted', findings: [aFinding()] } as const;

    expect((await runOnService(['check', '--stack', 'prod/network'], served(drift))).exitCode).toBe(2);
    expect((await runOnService(['check', '--stack', 'prod/network'], served(aFailedResult()))).exitCode).toBe(1);
    expect(
      (await runOnService(['check', '--stack', 'prod/network', '--fail-on', 'high'], served(drift))).exitCode,
    ).toBe(0);
  });

  it('is silent about progress where asked to', async () => {
    expect((await runOnService(['check', '--stack', 'prod/network', '--quiet'], served({}))).stderr).toBe('');
  });

  it('says which run has to end first', async () => {
    const stacks = [{ ...inSync, state: { ...inSync.state, inFlight: RUNNING } }];
    const { stderr } = await runOnService(['check', '--stack', 'prod/network'], { ...served({}), stacks });

    expect(stderr).toContain(`asked for, after run ${RUN}`);
  });

  it.each<[readonly string[], RegExp]>([
    [['check', 'live/a', '--stack', 'prod/network'], /no DIR goes with it/],
    [['check', '--profile', 'sandbox'], /go with --stack/],
  ])('fails on %j', async (args, message) => {
    const { error, choices } = await runOnService(args, world);

    expect(error).toMatchObject({ code: 'ArgumentInvalid', message: expect.stringMatching(message) });
    expect(choices).toEqual([]);
  });

  it('fails with options that are for stacks at hand', async () => {
    const { stderr, exitCode } = await runOnService(['check', '--stack', 'prod/network', '--engine', 'tofu'], world);

    expect(stderr).toContain("option '--stack <id>' cannot be used with option '--engine");
    expect(exitCode).toBe(1);
  });

  it('fails on a stack that is not there', async () => {
    const { error } = await runOnService(['check', '--stack', 'dev/nope'], world);

    expect(error).toBeInstanceOf(HoldfastError);
    expect(error).toMatchObject({ code: 'StackNotFound' });
  });
});

describe('holdfast local', () => {
  it('runs the demo in the usual folder', async () => {
    const asked: unknown[] = [];
    const local = async (options: unknown) => {
      asked.push(options);
      return 0;
    };
    const { exitCode } = await runOnService(['local'], { services: { local } });
    await runOnService(['local', '--catalogue', 'c.yaml', '--state', 's', '--fresh', '--every', '1m'], {
      services: { local },
    });

    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      { state: '.holdfast/local', fresh: false, catalogue: undefined, everyMs: 5000, once: false },
      { state: 's', fresh: true, catalogue: 'c.yaml', everyMs: 60_000, once: false },
    ]);
  });

  it("fails on the story of the demo for a catalogue of one's own", async () => {
    const { stderr, exitCode } = await runOnService(['local', '--once', '--catalogue', 'c.yaml']);

    expect(stderr).toContain("option '--once' cannot be used with option '--catalogue <path>'");
    expect(exitCode).toBe(1);
  });
});
