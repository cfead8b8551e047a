import { describe, expect, it } from 'vitest';
import { told, validate } from '../support/catalogue-world.ts';

/** A stack that nothing is wrong with, but for what is asked for. */
const stack = (more = '', id = 'prod/dns') =>
  `stacks:\n  - { id: ${id}, source: { path: ${id} }, routes: [team]${more === '' ? '' : `, ${more}`} }\n`;

const lint = async (yaml: string, modules: readonly string[] = []) =>
  told((await validate(yaml, { modules })).problems);
const hintOf = async (yaml: string) => (await validate(yaml)).problems.map(({ hint }) => hint);
const rule = (fields: Readonly<Record<string, string>>) =>
  JSON.stringify({ address: 'aws_sqs_queue.a', owner: 'me', reason: 'known', expires: 'never', ...fields });

describe('a catalogue that nothing is wrong with', () => {
  it('has no problems', async () => {
    expect(await lint(stack('schedule: { cron: "*/5 * * * *" }'))).toEqual([]);
  });
});

describe('schedules', () => {
  it('fail by a cron expression that nobody understands, wherever it stands', async () => {
    const yaml = `
defaults: { schedule: { cron: "61 * * * *" } }
contexts: [{ name: c, match: { stacks: ["*"] }, schedule: { cron: ["0 6 * * *", { expression: "x" }] } }]
${stack()}`;
    expect(await lint(yaml)).toEqual([
      '2:31 error cron-invalid cron expression "61 * * * *" is not understood: Invalid value for minute: 61',
      '3:81 error cron-invalid cron expression "x" is not understood: expected five fields',
    ]);
  });

  it('fail by a cron expression that never fires', async () => {
    expect(await lint(stack('schedule: { cron: "0 0 30 2 *" }'))).toEqual([
      '2:83 error cron-never-fires cron expression "0 0 30 2 *" never fires: no such date exists',
    ]);
  });

  it('fail where blackouts leave no time, once for all stacks that have it from one place', async () => {
    const yaml = `
defaults: { routes: [team], schedule: { windows: ["mon 08:00-12:00"], blackouts: ["mon 06:00-18:00"] } }
stacks:
  - { id: a, source: { path: a } }
  - { id: b, source: { path: b } }
  - { id: c, source: { path: c }, schedule: { blackouts: ["00:00-24:00"], windows: [] } }
  - { id: d, source: { path: d }, schedule: { blackouts: [] } }
`;
    expect(await lint(yaml)).toEqual([
      '2:82 error never-checked no check of a and b can ever start: blackouts cover every window',
      '6:58 error never-checked no check of c can ever start: blackouts cover every window',
    ]);
  });

  it.each([
    ['auto', 'rate: 5m', 5],
    ['auto-minor', 'rate: 29m', 29],
    ['auto', 'cron: ["0 * * * *", "10 * * * *"]', 10],
    ['auto', 'rate: 1h, cron: "*/20 * * * *"', 20],
  ])('fail where production remediates by itself (%s) with %s', async (mode, schedule, minutes) => {
    expect(await lint(stack(`schedule: { ${schedule} }, remediation: { mode: ${mode} }`))).toEqual([
      expect.stringMatching(
        `^2:\\d+ error interval-too-short production must not remediate by itself every ${minutes} minutes \\(prod/dns\\)$`,
      ),
    ]);
  });

  it.each([
    ['prod/dns', 'auto', 'rate: 30m'],
    ['prod/dns', 'approve', 'rate: 5m'],
    ['prod/dns', 'alert', 'rate: 5m'],
    ['dev/dns', 'auto', 'rate: 5m'],
  ])('leave %s alone with %s and %s', async (id, mode, schedule) => {
    expect(await lint(stack(`schedule: { ${schedule} }, remediation: { mode: ${mode} }`, id))).toEqual([]);
  });

  it('count as production what has no label that says otherwise', async () => {
    const settings = 'schedule: { rate: 5m }, remediation: { mode: auto }';

    expect(await lint(stack(`labels: ["environment:test"], ${settings}`))).toEqual([]);
    expect(await lint(stack(`labels: ["environment:production"], ${settings}`, 'dns'))).toHaveLength(1);
  });
});

describe('states', () => {
  const two = (first: string, second: string, more = '') => `
defaults: { routes: [team]${more} }
stacks:
  - { id: a, ${first} }
  - { id: b, ${second} }
`;
  const shared = (line = '5:11') => [`${line} error state-shared one state for a and b: same backend, same workspace`];

  it('are shared by stacks of one module and one workspace', async () => {
    expect(await lint(two('source: { path: x }', 'source: { path: x/ }'))).toEqual(shared());
    expect(
      await lint(two('source: { path: x, ref: v1 }', 'source: { path: x, url: "git@git.example.com:acme/infra" }')),
    ).toEqual(shared());
  });

  it('are shared by modules with the same key in the same bucket', async () => {
    const backend = 'backendConfig: { bucket: b, key: k, role_arn: x }';

    expect(
      await lint(two(`source: { path: x }, ${backend}`, `source: { path: y }, ${backend.replace('x', 'y')}`)),
    ).toEqual(shared('5:68'));
  });

  it.each([
    ['other modules', 'source: { path: x }', 'source: { path: y }', ''],
    ['other workspaces', 'source: { path: x }', 'source: { path: x }, workspace: two', ''],
    [
      'other keys',
      'source: { path: x }, backendConfig: { key: a }',
      'source: { path: x }, backendConfig: { key: b }',
      '',
    ],
    [
      'the same key, in buckets that the modules name',
      'source: { path: x }',
      'source: { path: y }',
      ', backendConfig: { key: k }',
    ],
    ['other repositories', 'source: { path: x }', 'source: { path: x, url: "https://example.com/o/o" }', ''],
    [
      'other databases',
      'source: { path: x }, env: { PG_CONN_STR: a }',
      'source: { path: x }, env: { PG_CONN_STR: b }',
      '',
    ],
    [
      'other organisations',
      'source: { path: x }, secrets: { TF_CLOUD_ORGANIZATION: { ssm: /a } }',
      'source: { path: x }, secrets: { TF_CLOUD_ORGANIZATION: { ssm: /b } }',
      '',
    ],
  ])('are not shared with %s', async (_, first, second, more) => {
    expect(await lint(two(first, second, more))).toEqual([]);
  });

  it('are shared whatever the rest of the environment is', async () => {
    expect(await lint(two('source: { path: x }, env: { A: "1" }', 'source: { path: x }'))).toEqual(shared());
  });
});

describe('roles', () => {
  const role = (name: string) => `arn:aws:iam::111122223333:role/${name}`;

  it('fail where checks have the role that applies', async () => {
    const yaml = `
defaults: { planRole: "${role('x')}", applyRole: "${role('x')}", routes: [team] }
stacks: [{ id: a, source: { path: a } }, { id: b, source: { path: b } }, { id: c, source: { path: c } }]
`;
    expect(await lint(yaml)).toEqual([
      '2:23 error roles-equal checks of a and 2 more stacks would run with the role that applies',
    ]);
  });

  it('are missed where something is to be applied', async () => {
    expect(await lint(stack(`planRole: "${role('x')}", remediation: { mode: approve }`))).toEqual([
      expect.stringMatching(/^2:\d+ warning role-missing remediation of prod\/dns has no role to apply with$/),
    ]);
  });

  it.each([
    `planRole: "${role('x')}"`,
    `planRole: "${role('x')}", applyRole: "${role('y')}", remediation: { mode: approve }`,
    'remediation: { mode: approve }',
  ])('are as they should be with %s', async (settings) => {
    expect(await lint(stack(settings))).toEqual([]);
  });
});

describe('routes', () => {
  it('are missed, once for all stacks that one pattern finds', async () => {
    expect(
      await lint('discover: [{ paths: "*" }]\nstacks: [{ id: own, source: { path: x/y } }]', ['a', 'b', 'c']),
    ).toEqual([
      '1:21 warning no-route nobody hears of drift in a and 2 more stacks: no route',
      '2:16 warning no-route nobody hears of drift in own: no route',
    ]);
  });
});

describe('task sizes', () => {
  it.each([
    ['{ memory: 512 }', 81, '1024 CPU units with 512 MiB', 'With 1024 CPU units memory is one of 2048, 3072,'],
    ['{ cpu: 2048 }', 78, '2048 CPU units with 2048 MiB', 'With 2048 CPU units memory is one of 4096,'],
    ['{ cpu: 1000, memory: 2048 }', 92, '1000 CPU units with 2048 MiB', 'CPU units are 256, 512, 1024'],
  ])('fail that Fargate does not have: %s', async (task, column, size, hint) => {
    const yaml = stack(`task: ${task}`);

    expect(await lint(yaml)).toEqual([`2:${column} error task-size-unknown Fargate has no task of ${size} (prod/dns)`]);
    expect((await hintOf(yaml))[0]).toContain(hint);
  });

  it('may be any that Fargate has', async () => {
    expect(await lint(stack('task: { cpu: 256, memory: 512 }'))).toEqual([]);
  });
});

describe('secrets', () => {
  it('are warned of where they stand in the catalogue, and never shown', async () => {
    const yaml = `
defaults:
  routes: [team]
  env: { TF_VAR_db_password: hunter22, LEVEL: info, EMPTY_TOKEN: "" }
  vars:
    api_key: hunter22
    database: { users: [{ password: hunter22 }] }
    token: arn:aws:secretsmanager:eu-west-1:111122223333:secret:x
    secret_token: 12345
  backendConfig: { access_key: hunter22, key: path/of/state }
stacks: [{ id: a, source: { path: a } }]
`;
    const { problems } = await validate(yaml);

    expect(told(problems)).toEqual([
      '4:30 warning secret-literal env.TF_VAR_db_password looks like a secret, and everybody who reads the catalogue can read it',
      '6:14 warning secret-literal vars.api_key looks like a secret, and everybody who reads the catalogue can read it',
      '7:37 warning secret-literal vars.database.users[0].password looks like a secret, and everybody who reads the catalogue can read it',
      '10:32 warning secret-literal backendConfig.access_key looks like a secret, and everybody who reads the catalogue can read it',
    ]);
    expect(problems[0]?.hint).toContain('secrets: { TF_VAR_db_password: { ssm: /… } }');
    expect(problems[1]?.hint).toContain('secrets: { TF_VAR_api_key: { ssm: /… } }');
    expect(JSON.stringify(problems)).not.toContain('hunter22');
  });
});

describe('secrets beside plain values', () => {
  it('fail under one name in one place', async () => {
    const yaml = `
defaults: { env: { A: x, B: y }, secrets: { A: { ssm: /a } } }
${stack('secrets: { B: { ssm: /b } }')}`;
    expect(await lint(yaml)).toEqual(['2:48 error name-twice A stands under env as well']);
  });

  it('are warned of where Terraform would take the plain value', async () => {
    const yaml = `
defaults: { vars: { size: 1, name: x }, secrets: { TF_VAR_size: { ssm: /size }, size: { ssm: /other } } }
stacks: [{ id: a, source: { path: a }, routes: [t] }, { id: b, source: { path: b }, routes: [t] }]
`;
    expect(await lint(yaml)).toEqual([
      '2:27 warning secret-hidden vars.size takes the place of the secret TF_VAR_size',
    ]);
  });
});

describe('approvals', () => {
  it('fail that can never come together', async () => {
    expect(await lint(stack('approval: { required: 2, approvers: [ada] }'))).toEqual([
      expect.stringMatching(/^2:\d+ error approval-impossible 2 have to approve, and only 1 may \(prod\/dns\)$/),
    ]);
  });

  it.each(['{ required: 2, approvers: [ada, grace] }', '{ required: 2 }'])('may be %s', async (approval) => {
    expect(await lint(stack(`approval: ${approval}`))).toEqual([]);
  });
});

describe('rules', () => {
  const withRules = (...rules: readonly string[]) => stack(`ignore: [${rules.join(', ')}]`, 'a');

  it.each([
    [{ path: 'tags' }],
    [{ path: 'tags["k8s.io/role"]' }],
    [{ path: 'ingress[0].cidr_blocks' }],
    [{ path: 'tags["*' }],
    [{ address: '*' }],
    [{ address: 'output.x' }],
    [{ stack: 'a*' }],
    [{ expires: '2026-03-02' }],
  ])('may be such as %j', async (fields) => {
    expect(await lint(withRules(rule(fields)))).toEqual([]);
  });

  it.each([
    [{ stack: 'b' }, 'no stack fits the rule for aws_sqs_queue.a', 'Its pattern for stacks is "b".'],
    [
      { expires: '2026-03-01' },
      'the rule for aws_sqs_queue.a expired on 2026-03-01',
      'Delete it, or give it a later date if the reason still holds.',
    ],
    [
      { address: 'aws_sqs_queue' },
      'no resource has the address "aws_sqs_queue"',
      'For all resources of that type write "aws_sqs_queue.*", in modules "*aws_sqs_queue.*".',
    ],
    [{ path: 'tags["team"]' }, 'no finding has the path "tags["team"]"', 'Findings write it as tags.team.'],
    [
      { path: 'a b' },
      'no finding has the path "a b"',
      'Paths look like ingress[0].cidr_blocks or tags["k8s.io/role"].',
    ],
  ])('are warned of where they can never match: %j', async (fields, message, hint) => {
    const { problems } = await validate(withRules(rule(fields)));

    expect(problems).toMatchObject([{ severity: 'warning', code: 'rule-never-matches', message, hint }]);
    expect(problems[0]).not.toHaveProperty('at');
  });

  it('are warned of where an earlier one says the same', async () => {
    expect(await lint(withRules(rule({}), rule({ path: 'x' }), rule({ reason: 'again' })))).toEqual([
      expect.stringMatching(/^2:\d+ warning rule-never-matches an earlier rule says the same about aws_sqs_queue.a$/),
    ]);
  });

  it('are held against the stacks that have them, those of severities as well', async () => {
    const yaml = `
defaults: { routes: [team], severity: [{ address: "*", stack: "x/*", severity: low }, { address: "*", stack: "live/*", severity: low }] }
contexts: [{ name: c, match: { labels: ["layer:dns"] }, ignore: [${rule({ stack: 'live/b' })}] }]
discover:
  - paths: live/{layer}
    ignore: [${rule({ stack: 'live/c' })}, ${rule({ address: 'x.{layer}', stack: 'never' })}, ${rule({ path: 'x' })}]
`;
    expect(await lint(yaml, ['live/dns', 'live/b'])).toEqual([
      '2:63 warning rule-never-matches no stack fits the rule for *',
      '3:151 warning rule-never-matches no stack fits the rule for aws_sqs_queue.a',
      '6:99 warning rule-never-matches no stack fits the rule for aws_sqs_queue.a',
    ]);
  });

  it('are not held against stacks that nobody knows', async () => {
    const yaml = `
discover: [{ paths: "*", source: { url: "https://example.com/o/o" }, ignore: [${rule({})}] }]
contexts: [{ name: unused }]
`;
    expect(await lint(yaml)).toEqual([expect.stringContaining('discover-not-checked')]);
  });
});

describe('contexts', () => {
  it('are not held against stacks that could not be understood', async () => {
    const yaml = 'contexts: [{ name: c }]\nstacks: [{ id: a, source: { path: a }, contexts: [c], timeout: x }]';

    expect(await lint(yaml)).toEqual([expect.stringContaining('stacks[0].timeout')]);
  });

  it('are warned of where no stack has them', async () => {
    expect(await lint(`contexts: [{ name: used, match: { stacks: ["*"] } }, { name: not }]\n${stack()}`)).toEqual([
      '1:62 warning context-unused no stack has the context "not"',
    ]);
  });
});

describe('stacks', () => {
  it('fail with more settings than the table holds', async () => {
    expect(await lint(stack(`vars: { text: "${'x'.repeat(100_000)}" }`))).toEqual([
      expect.stringMatching(
        /^2:11 error stack-too-large stack "prod\/dns" has 10\d{4} characters of settings, more than 100000$/,
      ),
    ]);
  });
});
