import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../lib/app/load-catalogue.ts';
import { aDocument, load, OWN, told } from '../support/catalogue-world.ts';

const problemsOf = async (yaml: Parameters<typeof load>[0]) => told((await load(yaml)).problems);
const hintsOf = async (yaml: string) => (await load(yaml)).problems.map(({ hint }) => hint);
const aStack = 'stacks: [{ id: a, source: { path: a } }]\n';

describe('loadCatalogue', () => {
  it('reads the files in the order of their names', async () => {
    const catalogue = await load({ 'b.yaml': '', 'a.yaml': aStack, 'c/d.yaml': 'contexts: []' });

    expect(catalogue.files).toEqual(['a.yaml', 'b.yaml', 'c/d.yaml']);
    expect(catalogue.problems).toEqual([]);
    expect(catalogue.complete).toBe(true);
  });

  it('looks once into a repository that several rules discover stacks in', async () => {
    const asked: string[] = [];
    const yaml = 'discover: [{ paths: a }, { paths: b }, { paths: c, source: { ref: v1 } }]';
    const source = {
      files: async () => [aDocument(yaml)],
      rootModules: async ({ ref }: { readonly ref: string }) => {
        asked.push(ref);
        return ['a', 'b', 'c'];
      },
    };

    const { stacks } = await loadCatalogue({ source }, { repository: OWN });

    expect(stacks.map(({ spec }) => spec.source.ref)).toEqual(['main', 'main', 'v1']);
    expect(asked.sort()).toEqual(['main', 'v1']);
  });

  it.each(['', '{}', 'stacks: []', 'defaults: { owner: me }'])(
    'fails on %j: it would take every stack away',
    async (yaml) => {
      expect(await problemsOf(yaml)).toEqual(['1:1 error no-stacks the catalogue has no stacks']);
    },
  );
});

describe('a file that is no YAML', () => {
  it('fails with every mistake in it, and those in other files', async () => {
    const files = { 'a.yaml': 'stacks: [\n', 'b.yaml': 'a: 1\na: 2\n', 'c.yaml': 'stacks: [{ id: A }]' };

    expect(await problemsOf(files)).toEqual([
      'a.yaml:2:1 error file-unreadable flow sequence in block collection must be sufficiently indented and end with a ]',
      'b.yaml:2:1 error file-unreadable map keys must be unique',
      'c.yaml:1:16 error field-invalid stacks[0].id: expected an id of a-z, 0-9, - and /, up to 128 characters',
    ]);
  });

  it('fails on text that YAML takes for something else, and says how to write it', async () => {
    expect(await problemsOf('discover:\n  - paths: {environment}/x\n')).toContain(
      '2:25 error file-unreadable unexpected scalar at node end',
    );
    expect((await hintsOf('discover:\n  - paths: **\n'))[0]).toContain(
      'A text that starts with { or * goes in quotes.',
    );
  });

  it('fails on numbers that would lose digits', async () => {
    expect(
      await problemsOf(
        `${aStack}defaults: { vars: { account: 012345678901, big: 12345678901234567890, ok: 111122223333 } }`,
      ),
    ).toEqual([
      '2:30 error file-unreadable the number 012345678901 would lose digits: put it in quotes',
      '2:49 error file-unreadable the number 12345678901234567890 would lose digits: put it in quotes',
    ]);
  });

  it('asks nothing more of what it could have held', async () => {
    const files = {
      'a.yaml': 'stacks: [{ id: a, source: { path: a }, contexts: [x], dependsOn: [y] }, { id: z }]',
      'b.yaml': '[',
    };

    expect((await problemsOf(files)).filter((line) => line.startsWith('1:'))).toEqual([]);
  });
});

describe('a file of another shape', () => {
  it('fails with every mistake, by its place', async () => {
    const yaml = `defaults:
  timeout: soon
  schedul: { rate: 1h }
contexts:
  - match: { label: [a] }
    vars: { "a b": 1, ok: .nan }
discover:
  - paths: [/etc]
    schedule: { cron: [5, { expr: x }] }
stacks:
  - id: Prod_DNS
    env: { PORT: 8080 }
    secrets: { TOKEN: hunter22 }
    remediation: auto
  - nonsense
  - { id: rules, ignore: [{ address: x.y, owner: me }] }
routes: {}
`;
    expect(await problemsOf(yaml)).toEqual([
      '2:12 error field-invalid defaults.timeout: expected a duration such as 90s, 30m, 2h or 1d',
      '3:3 error field-invalid defaults.schedul: unknown field',
      '5:5 error field-invalid contexts[0].name: expected a name of letters, digits, ., _ and -',
      '5:12 error field-invalid contexts[0].match: expected labels or stacks',
      '5:14 error field-invalid contexts[0].match.label: unknown field',
      '6:20 error field-invalid contexts[0].vars["a b"]: expected the name of a Terraform variable',
      '6:27 error field-invalid contexts[0].vars.ok: expected a value that JSON can hold',
      '8:13 error field-invalid discover[0].paths[0]: expected a path relative to the root of the repository, without ".."',
      '9:24 error field-invalid discover[0].schedule.cron[0]: expected a cron expression such as "0 6 * * mon-fri"',
      '9:27 error field-invalid discover[0].schedule.cron[1].expression: expected a cron expression such as "0 6 * * mon-fri"',
      '9:29 error field-invalid discover[0].schedule.cron[1].expr: unknown field',
      '11:9 error field-invalid stacks[0].id: expected an id of a-z, 0-9, - and /, up to 128 characters',
      '12:18 error field-invalid stacks[0].env.PORT: expected a text: put it in quotes',
      '13:23 error field-invalid stacks[0].secrets.TOKEN: expected object, received string',
      '14:18 error field-invalid stacks[0].remediation: expected object, received string',
      '15:5 error field-invalid stacks[1]: expected object, received string',
      '16:27 error field-invalid stacks[2].ignore[0].expires: expected a date such as 2027-03-31, or never',
      '16:27 error field-invalid stacks[2].ignore[0].reason: is missing',
      '17:1 error field-invalid routes: unknown field',
    ]);
  });

  it.each([
    [
      'stacks: [{ id: My_Stack, source: { path: a } }]',
      'Ids stand in keys, paths and URLs, so other characters, upper case too, are reserved. Try "my-stack".',
    ],
    [
      'stacks: [{ id: 5, source: { path: a } }]',
      'Ids stand in keys, paths and URLs, so other characters, upper case too, are reserved. Such as prod/network.',
    ],
    [`${aStack}defaults: { tiemout: 5m }`, 'did you mean "timeout"?'],
    [`${aStack}defaults: { xyzzy: 5m }`, 'All fields and what they may be: docs/catalogue.schema.json.'],
    [`${aStack}defaults: { timeout: 5 }`, 'All fields and what they may be: docs/catalogue.schema.json.'],
    [
      `${aStack}defaults: { secrets: { A: x } }`,
      'Such as TF_VAR_password: { secretsManager: prod/db, jsonKey: password }, or { ssm: /prod/db }.',
    ],
    [
      `${aStack}defaults: { schedule: 1h }`,
      'Such as schedule: { rate: 1h }, or { cron: "0 6 * * mon-fri", timezone: Europe/Berlin }.',
    ],
    ['- a', 'All fields and what they may be: docs/catalogue.schema.json.'],
  ])('has a hint for %s', async (yaml, hint) => {
    expect(await hintsOf(yaml)).toEqual([hint]);
  });

  it('fails as a whole where it is no map, or a section is no list', async () => {
    expect(await problemsOf('- a')).toEqual(['1:1 error field-invalid expected object, received array']);
    expect(await problemsOf('text')).toEqual(['1:1 error field-invalid expected object, received string']);
    expect(await problemsOf('stacks: { id: a }\n')).toEqual([
      '1:9 error field-invalid stacks: expected array, received object',
    ]);
    expect(await problemsOf('stacks:\ncontexts: []\n')).toEqual([
      '1:8 error field-invalid stacks: expected array, received null',
    ]);
  });

  it('reads all parts that have no mistake, and blames nobody for naming those that have', async () => {
    const yaml = `
contexts:
  - { name: broken, timeout: x }
  - { name: whole, owner: me }
discover:
  - paths: "*"
stacks:
  - { id: bad, timeout: x }
  - { id: a, source: { path: a }, contexts: [broken, whole, unknown], dependsOn: [bad, worse] }
`;
    const { stacks, problems } = await load(yaml, { modules: ['m'] });

    expect(stacks.map(({ spec }) => [spec.id, spec.owner])).toEqual([
      ['a', 'me'],
      ['m', null],
    ]);
    expect(told(problems)).toEqual([
      '3:30 error field-invalid contexts[0].timeout: expected a duration such as 90s, 30m, 2h or 1d',
      '8:25 error field-invalid stacks[0].timeout: expected a duration such as 90s, 30m, 2h or 1d',
      '9:61 error context-unknown there is no context "unknown"',
      '9:88 error dependency-unknown stack "a" depends on "worse", which is no stack',
    ]);
  });

  it('asks nothing of names where a part has a mistake in its name', async () => {
    const yaml = `
contexts: [{ name: 5 }]
discover: [{ paths: 5 }]
stacks: [{ id: a, source: { path: a }, contexts: [x], dependsOn: [y] }]
`;
    expect(await problemsOf(yaml)).toEqual([
      '2:20 error field-invalid contexts[0].name: expected a name of letters, digits, ., _ and -',
      '3:21 error field-invalid discover[0].paths: expected a path relative to the root of the repository, without ".."',
    ]);
  });
});
