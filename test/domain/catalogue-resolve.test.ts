import { describe, expect, it } from 'vitest';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { load, OWN, specOf, stackOf, told } from '../support/catalogue-world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const problemsOf = async (yaml: Parameters<typeof load>[0], modules: readonly string[] = []) =>
  told((await load(yaml, { modules })).problems);

const rule = (address: string, stack = '*') =>
  `{ stack: "${stack}", address: "${address}", owner: me, reason: known, expires: never }`;

describe('a stack of a catalogue', () => {
  it('needs an id and a path, and gets the rest from what is built in', async () => {
    expect(await specOf('stacks: [{ id: prod/dns, source: { path: live/dns } }]', 'prod/dns')).toEqual({
      id: 'prod/dns',
      source: { ...OWN, path: 'live/dns' },
      engine: { name: 'terraform', constraint: null },
      workspace: 'default',
      backendConfig: {},
      vars: {},
      varFiles: [],
      env: {},
      secrets: {},
      region: null,
      planRole: null,
      applyRole: null,
      externalId: null,
      labels: [],
      timing: { schedules: [{ kind: 'rate', everyMs: HOUR }], jitterMs: 0, windows: [], blackouts: [] },
      timeoutMs: 30 * MINUTE,
      retry: { attempts: 3, backoffMs: MINUTE },
      task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
      dependsOn: [],
      remediation: { mode: 'alert' },
      approval: { required: 1, approvers: [], expiresMs: 24 * HOUR },
      rules: NO_RULES,
      alerts: { confirmChecks: 1, failureStreak: 3, remindEveryMs: 24 * HOUR, escalateAfter: null },
      routes: [],
      suspended: null,
      owner: null,
    });
  });

  it('may say everything itself', async () => {
    const yaml = `
stacks:
  - id: prod/dns
    source: { url: "git@github.com:acme/dns.git", ref: v1.2, path: ./live//dns/ }
    engine: { name: tofu, version: "~> 1.9" }
    workspace: blue
    backendConfig: { bucket: states, encrypt: true }
    vars: { count: 2, names: [a, b], deep: { x: null } }
    varFiles: [../common.tfvars, dns.tfvars]
    env: { DEBUG: "1" }
    secrets:
      TF_VAR_password: { secretsManager: prod/dns, jsonKey: password }
      API_TOKEN: { secretsManager: "arn:aws:secretsmanager:eu-west-1:111122223333:secret:x-AbCdEf" }
      OTHER: { ssm: /prod/other }
    region: eu-west-1
    planRole: arn:aws:iam::111122223333:role/plan
    applyRole: arn:aws-us-gov:iam::111122223333:role/x/apply
    externalId: holdfast
    labels: [tier:1]
    schedule:
      rate: 10m
      cron: ["0 6 * * *", { expression: "0 7 * * *", timezone: Asia/Tokyo }]
      timezone: Europe/Berlin
      jitter: 90s
      windows: ["mon-fri 08:00-18:00", "22:00-06:00"]
      blackouts: ["sat,sun-mon 00:00-24:00"]
    timeout: 2h
    retry: { attempts: 1, backoff: 10s }
    task: { cpu: 2048, memory: 8192, arch: amd64 }
    remediation: { mode: auto-minor }
    approval: { required: 2, approvers: [ada, grace], expires: 4h }
    alerts: { confirmChecks: 2, failureStreak: 1, remindEvery: 2d, escalateAfter: 5 }
    ignore: [${rule('aws_x.y')}]
    severity: [{ address: "*", severity: low }]
    serviceOwned: [{ type: acme_*, path: build }]
    allowValues: [{ address: "*", path: size }]
    routes: [team, on-call]
    suspend: the state is being moved
    owner: ada
`;
    const berlin = { timezone: 'Europe/Berlin' };

    expect(await specOf(yaml, 'prod/dns')).toMatchObject({
      source: { url: 'git@github.com:acme/dns.git', ref: 'v1.2', path: 'live/dns' },
      engine: { name: 'tofu', constraint: '~> 1.9' },
      workspace: 'blue',
      backendConfig: { bucket: 'states', encrypt: 'true' },
      vars: { count: 2, names: ['a', 'b'], deep: { x: null } },
      varFiles: ['../common.tfvars', 'dns.tfvars'],
      env: { DEBUG: '1' },
      secrets: {
        TF_VAR_password: { kind: 'secrets-manager', id: 'prod/dns', jsonKey: 'password' },
        API_TOKEN: { kind: 'secrets-manager', jsonKey: null },
        OTHER: { kind: 'ssm', name: '/prod/other' },
      },
      region: 'eu-west-1',
      planRole: 'arn:aws:iam::111122223333:role/plan',
      applyRole: 'arn:aws-us-gov:iam::111122223333:role/x/apply',
      externalId: 'holdfast',
      labels: ['tier:1'],
      timing: {
        schedules: [
          { kind: 'rate', everyMs: 10 * MINUTE },
          { kind: 'cron', expression: '0 6 * * *', ...berlin },
          { kind: 'cron', expression: '0 7 * * *', timezone: 'Asia/Tokyo' },
        ],
        jitterMs: 90_000,
        windows: [
          { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00', ...berlin },
          { days: [], from: '22:00', to: '06:00', ...berlin },
        ],
        blackouts: [{ days: ['sat', 'sun', 'mon'], from: '00:00', to: '00:00', ...berlin }],
      },
      timeoutMs: 2 * HOUR,
      retry: { attempts: 1, backoffMs: 10_000 },
      task: { cpu: 2048, memoryMiB: 8192, arch: 'amd64' },
      remediation: { mode: 'auto-minor' },
      approval: { required: 2, approvers: ['ada', 'grace'], expiresMs: 4 * HOUR },
      alerts: { confirmChecks: 2, failureStreak: 1, remindEveryMs: 48 * HOUR, escalateAfter: 5 },
      rules: {
        ignore: [{ stack: '*', path: '*', address: 'aws_x.y' }],
        severity: [{ severity: 'low' }],
        serviceOwned: [{ type: 'acme_*', path: 'build', owned: true }],
        allowValues: [{ address: '*', path: 'size' }],
      },
      routes: ['team', 'on-call'],
      suspended: 'the state is being moved',
      owner: 'ada',
    });
  });

  it('may say more about a stack that discover finds', async () => {
    const yaml = `
discover: [{ paths: live/*, labels: [found], timeout: 10m, owner: all }]
stacks: [{ id: live/dns, labels: [own], timeout: 20m, source: { ref: v1 } }]
`;
    expect(await specOf(yaml, 'live/dns', { modules: ['live/dns', 'live/web'] })).toMatchObject({
      source: { ...OWN, ref: 'v1', path: 'live/dns' },
      labels: ['found', 'own'],
      timeoutMs: 20 * MINUTE,
      owner: 'all',
    });
  });

  it('reads other repositories at their HEAD unless told otherwise', async () => {
    const yaml = `stacks:
  - { id: a, source: { url: "https://example.com/x/y", path: a } }
  - { id: b, source: { url: "git@git.example.com:acme/infra.git", path: b } }
`;
    expect((await specOf(yaml, 'a')).source.ref).toBe('HEAD');
    expect((await specOf(yaml, 'b')).source.ref).toBe(OWN.ref);
  });
});

describe('layers of a stack', () => {
  const layered = `
defaults:
  timeout: 1m
  owner: defaults
  planRole: arn:aws:iam::111122223333:role/defaults
  vars: { a: defaults, b: defaults, c: defaults }
  env: { A: defaults, B: defaults }
  secrets: { S: { ssm: /defaults } }
  varFiles: [defaults.tfvars]
  labels: [everywhere]
  retry: { attempts: 5, backoff: 5m }
  schedule: { rate: 1h, timezone: Europe/Berlin, blackouts: ["sun 00:00-24:00"] }
  ignore: [${rule('defaults.x')}, ${rule('other.x', 'other/*')}]
contexts:
  - name: production
    match: { labels: ["env:prod"] }
    timeout: 2m
    owner: context
    vars: { b: context, c: context }
    env: { S: plain }
    secrets: { A: { ssm: /context } }
    varFiles: [context.tfvars]
    retry: { attempts: 4 }
    schedule: { cron: "0 6 * * *" }
    ignore: [${rule('context.x')}]
stacks:
  - id: prod/dns
    source: { path: a }
    labels: ["env:prod"]
    planRole: null
    vars: { c: stack }
    env: { B: stack }
    varFiles: [stack.tfvars]
    timeout: 3m
    ignore: [${rule('stack.x')}]
`;

  it('win the later they come: defaults, contexts, discover, the stack itself', async () => {
    expect(await specOf(layered, 'prod/dns')).toMatchObject({
      timeoutMs: 3 * MINUTE,
      owner: 'context',
      planRole: null,
    });
  });

  it('merge maps key by key, and settings with several fields field by field', async () => {
    expect(await specOf(layered, 'prod/dns')).toMatchObject({
      vars: { a: 'defaults', b: 'context', c: 'stack' },
      retry: { attempts: 4, backoffMs: 5 * MINUTE },
    });
  });

  it('have one name space for plain and secret variables', async () => {
    const { env, secrets } = await specOf(layered, 'prod/dns');

    expect(env).toEqual({ B: 'stack', S: 'plain' });
    expect(secrets).toEqual({ A: { kind: 'ssm', name: '/context' } });
  });

  it('replace the times of a schedule together, and its other fields one by one', async () => {
    const { timing } = await specOf(layered, 'prod/dns');

    expect(timing.schedules).toEqual([{ kind: 'cron', expression: '0 6 * * *', timezone: 'Europe/Berlin' }]);
    expect(timing.blackouts).toHaveLength(1);
  });

  it('add up variable files, labels and rules; of rules, the nearest come first, and only those about the stack', async () => {
    const { varFiles, labels, rules } = await specOf(layered, 'prod/dns');

    expect(varFiles).toEqual(['defaults.tfvars', 'context.tfvars', 'stack.tfvars']);
    expect(labels).toEqual(['everywhere', 'env:prod']);
    expect(rules.ignore.map(({ address }) => address)).toEqual(['stack.x', 'context.x', 'defaults.x']);
  });
});

describe('contexts', () => {
  const context = (name: string, more = '') => `  - { name: ${name}, owner: ${name}${more} }\n`;
  const ownerOf = async (contexts: string, stack = '') =>
    specOf(`contexts:\n${contexts}stacks: [{ id: prod/dns, source: { path: a }, labels: [l:1]${stack} }]`, 'prod/dns');
  const attached = async (match: string) =>
    (
      await stackOf(
        `contexts: [{ name: c, match: ${match} }]\nstacks: [{ id: prod/dns, source: { path: a }, labels: ["l:1"] }]`,
        'prod/dns',
      )
    ).contexts;

  it.each([
    ['{ labels: ["l:1"] }', ['c']],
    ['{ labels: ["x", "l:*"] }', ['c']],
    ['{ labels: ["l:2"] }', []],
    ['{ stacks: ["prod/*"] }', ['c']],
    ['{ stacks: ["dev/*", "prod/dns"] }', ['c']],
    ['{ stacks: ["dev/*"] }', []],
    ['{ labels: ["l:1"], stacks: ["prod/*"] }', ['c']],
    ['{ labels: ["l:1"], stacks: ["dev/*"] }', []],
    ['{ labels: ["l:2"], stacks: ["prod/*"] }', []],
  ])('match by %s', async (match, contexts) => {
    expect(await attached(match)).toEqual(contexts);
  });

  it('are attached by name, those of discover too', async () => {
    const yaml = `
contexts: [{ name: a }, { name: b }, { name: c }]
discover: [{ paths: x, contexts: [b] }]
stacks: [{ id: x, contexts: [a] }]
`;
    expect((await stackOf(yaml, 'x', { modules: ['x'] })).contexts).toEqual(['b', 'a']);
  });

  it('win by priority, whatever their order', async () => {
    const match = ', match: { labels: ["*"] }';
    const [high, low] = [context('high', `${match}, priority: 1`), context('low', match)];

    expect((await ownerOf(`${high}${low}`)).owner).toBe('high');
    expect((await ownerOf(`${low}${high}`)).owner).toBe('high');
    expect((await ownerOf(`${context('least', `${match}, priority: -1`)}${low}`)).owner).toBe('low');
  });

  it('win the later they stand where the priority is the same', async () => {
    const match = ', match: { labels: ["*"] }';

    expect((await ownerOf(`${context('a', match)}${context('b', match)}`)).owner).toBe('b');
    expect((await ownerOf(`${context('b', match)}${context('a', match)}`)).owner).toBe('a');
  });

  it('win over those that match where they are named, in the order of the list', async () => {
    const contexts = `${context('a')}${context('b')}${context('z', ', match: { labels: ["*"] }')}`;

    expect((await ownerOf(contexts, ', contexts: [a, b]')).owner).toBe('b');
    expect((await ownerOf(contexts, ', contexts: [b, a]')).owner).toBe('a');
    expect((await ownerOf(contexts, ', contexts: [z, a]')).owner).toBe('a');
    expect((await ownerOf(contexts, ', contexts: [a, z]')).owner).toBe('z');
  });

  it('fail by a name that nobody has, with the nearest one', async () => {
    const yaml = 'contexts: [{ name: production }]\nstacks: [{ id: a, source: { path: a }, contexts: [prodution] }]';
    const { problems } = await load(yaml);

    expect(told(problems)).toEqual(['2:51 error context-unknown there is no context "prodution"']);
    expect(problems[0]?.hint).toBe('did you mean "production"?');
    const far = await load(yaml.replace('prodution', 'x'));
    expect(far.problems[0]?.hint).toBe('Known contexts: production.');
    const none = await load(yaml.slice(yaml.indexOf('\n') + 1));
    expect(none.problems[0]?.hint).toBe('Declare it under contexts.');
  });

  it('are told once where a rule names an unknown one for many stacks', async () => {
    expect(await problemsOf('discover: [{ paths: "*", contexts: [x] }]', ['a', 'b', 'c'])).toEqual([
      '1:37 error context-unknown there is no context "x"',
    ]);
  });

  it('fail where two have one name', async () => {
    const files = {
      'a.yaml': 'contexts: [{ name: c }]',
      'b.yaml': 'contexts: [{ name: c }]\nstacks: [{ id: a, source: { path: a } }]',
    };

    expect(await problemsOf(files)).toEqual(['b.yaml:1:20 error name-twice the name "c" is taken (a.yaml:1:12)']);
  });
});

describe('ids', () => {
  it('fail where two stacks have one, over all files', async () => {
    const stack = 'stacks: [{ id: a, source: { path: a } }]';

    expect(await problemsOf({ 'x.yaml': stack, 'y.yaml': stack })).toEqual([
      'y.yaml:1:16 error name-twice the id "a" is taken (x.yaml:1:16)',
    ]);
  });

  it('fail where a found stack is declared once more, or added to twice', async () => {
    const modules = ['a'];
    const rules = 'discover: [{ paths: "*" }]\n';

    expect(await problemsOf(`${rules}stacks: [{ id: a, source: { path: b } }]`, modules)).toEqual([
      '2:16 error name-twice the id "a" is taken (catalogue.yaml:1:21)',
    ]);
    expect(await problemsOf(`${rules}stacks: [{ id: a }, { id: a, owner: me }]`, modules)).toEqual([
      '2:27 error name-twice the id "a" is taken (catalogue.yaml:1:21)',
    ]);
    expect(await problemsOf('stacks: [{ id: a, source: { path: a } }, { id: a }]')).toEqual([
      '1:48 error name-twice the id "a" is taken (catalogue.yaml:1:16)',
    ]);
  });

  it('fail without a path where nothing is found under them', async () => {
    expect(await problemsOf('discover: [{ paths: "*" }]\nstacks: [{ id: b }, { id: c, source: {} }]', ['a'])).toEqual([
      '2:16 error path-missing stack "b" has no source.path, and discover finds no stack of this id',
      '2:27 error path-missing stack "c" has no source.path, and discover finds no stack of this id',
    ]);
  });
});

describe('defaults', () => {
  it('fail in a second file', async () => {
    const files = {
      'b.yaml': 'defaults: { owner: b }',
      'a.yaml': 'defaults: { owner: a }\nstacks: [{ id: a, source: { path: a } }]',
    };

    expect(await problemsOf(files)).toEqual([
      'b.yaml:1:11 error defaults-twice defaults stand in another file already (a.yaml:1:11)',
    ]);
  });
});

describe('dependencies', () => {
  const stacks = (needs: Readonly<Record<string, readonly string[]>>) =>
    `stacks:\n${Object.entries(needs)
      .map(([id, ids]) => `  - { id: ${id}, source: { path: ${id} }, dependsOn: [${ids.join(', ')}] }\n`)
      .join('')}`;

  it('may share what they need', async () => {
    expect(await problemsOf(stacks({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([]);
  });

  it('count once, however often they are named', async () => {
    expect((await specOf(stacks({ a: ['b', 'b'], b: [] }), 'a')).dependsOn).toEqual(['b']);
  });

  it('fail on what is no stack, with the nearest one', async () => {
    const { problems } = await load(stacks({ 'prod/web': ['prod/netwrk'], 'prod/network': [] }));

    expect(told(problems)).toEqual([
      '2:61 error dependency-unknown stack "prod/web" depends on "prod/netwrk", which is no stack',
    ]);
    expect(problems[0]?.hint).toBe('did you mean "prod/network"?');
  });

  it('fail on stacks that wait for each other, told once from the first id on', async () => {
    expect(await problemsOf(stacks({ c: ['a'], b: ['c'], a: ['b'], x: ['a'], y: [] }))).toEqual([
      '4:47 error dependency-cycle stacks wait for each other: a → b → c → a',
    ]);
    expect(await problemsOf(stacks({ a: ['a'] }))).toEqual([
      '2:47 error dependency-cycle stacks wait for each other: a → a',
    ]);
  });

  it('fail on every cycle that shares no stack with another one', async () => {
    expect(await problemsOf(stacks({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] }))).toEqual([
      '2:47 error dependency-cycle stacks wait for each other: a → b → a',
      '4:47 error dependency-cycle stacks wait for each other: c → d → c',
    ]);
  });
});
