import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { parseConstraint } from '../../lib/adapters/toolchain-constraint.ts';
import {
  CatalogueFile,
  type Context,
  catalogueKeys,
  type Defaults,
  type Discover,
  Stack,
} from '../../lib/contract/catalogue-schema.ts';
import { duration } from '../../lib/contract/catalogue-values.ts';
import { PUBLISHED_SCHEMAS } from '../../lib/contract/published-schemas.ts';
import type * as content from '../../lib/domain/catalogue-content.ts';
import { placeholdersIn } from '../../lib/domain/placeholders.ts';
import { STACK_ID } from '../../lib/domain/stack-spec.ts';

const aStack = { id: 'prod/dns', source: { path: 'live/dns' } };
const accepts = (settings: object) => Stack.safeParse({ ...aStack, ...settings }).success;
const read = (settings: object) => Stack.parse({ ...aStack, ...settings });
const example = parse(readFileSync(join(import.meta.dirname, '../../examples/catalogue.yaml'), 'utf8'));

describe('the schema of catalogues', () => {
  it('gives what the domain resolves', () => {
    expectTypeOf<z.output<typeof Defaults>>().toExtend<content.Defaults>();
    expectTypeOf<z.output<typeof Context>>().toExtend<content.Context>();
    expectTypeOf<z.output<typeof Discover>>().toExtend<content.DiscoverRule>();
    expectTypeOf<z.output<typeof Stack>>().toExtend<content.StackEntry>();
  });

  it('lets the minimal catalogue be short', () => {
    const minimal = {
      defaults: { planRole: 'arn:aws:iam::111122223333:role/plan', routes: ['platform'] },
      discover: [{ paths: 'live/{environment}/*' }],
    };

    expect(CatalogueFile.parse(minimal)).toMatchObject({ discover: [{ paths: ['live/{environment}/*'] }] });
    expect(CatalogueFile.parse({})).toEqual({});
  });

  it('takes ids for what the domain takes for them', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(STACK_ID), fc.stringMatching(/^[a-z0-9\-/]{0,130}$/)),
        (id) => {
          expect(accepts({ id })).toBe(STACK_ID.test(id));
        },
      ),
    );
  });

  it('takes placeholders for what is filled in later, in discover only', () => {
    const templates = {
      planRole: 'arn:aws:iam::{account}:role/{path}',
      region: '{region}',
      labels: ['team:{team}'],
      dependsOn: ['{environment}/network'],
      secrets: { TOKEN: { ssm: '/{environment}/token' } },
    };
    const rule = { paths: '*', id: '{environment}/{layer}', ...templates };

    expect(CatalogueFile.safeParse({ discover: [rule] }).success).toBe(true);
    for (const [field, value] of Object.entries(templates)) {
      if (field === 'labels') continue;
      expect(accepts({ [field]: value }), field).toBe(false);
    }
    expect(CatalogueFile.safeParse({ discover: [{ ...rule, planRole: 'role/plan' }] }).success).toBe(false);
    expect(placeholdersIn(rule.planRole)).toEqual(['account', 'path']);
  });
});

describe('durations', () => {
  const any = duration({ least: '0s' });

  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(any.parse(text)).toBe(ms);
  });

  it.each(['', '5', '1.5h', '-1h', '1h30m', '1w', '1 h', 60, null, '1000000000s'])('%j is none', (value) => {
    expect(any.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([
      'expected a duration such as 90s, 30m, 2h or 1d',
    ]);
  });

  it('have bounds', () => {
    const bounded = duration({ least: '1m', most: '1h' });

    expect(bounded.safeParse('59s').error?.issues[0]?.message).toBe('expected 1m or longer');
    expect(bounded.safeParse('61m').error?.issues[0]?.message).toBe('expected 1h or shorter');
    expect(bounded.parse('60m')).toBe(3_600_000);
  });
});

describe('spans of time', () => {
  const span = (text: string) => read({ schedule: { windows: [text] } }).schedule?.windows?.[0];

  it.each([
    ['08:00-18:00', [], '08:00', '18:00'],
    ['mon 08:00-18:00', ['mon'], '08:00', '18:00'],
    ['fri-mon 22:00-06:00', ['fri', 'sat', 'sun', 'mon'], '22:00', '06:00'],
    ['mon,wed-thu 00:00-24:00', ['mon', 'wed', 'thu'], '00:00', '00:00'],
    ['sun-sun 23:59-23:59', ['sun'], '23:59', '23:59'],
  ])('%s', (text, days, from, to) => {
    expect(span(text)).toEqual({ days, from, to });
  });

  it.each([
    'mon',
    '8:00-18:00',
    '08:00-25:00',
    '24:00-01:00',
    'monday 08:00-18:00',
    'mon-fri  08:00-18:00',
    'mon, tue 08:00-09:00',
  ])('%j is none', (text) => {
    expect(accepts({ schedule: { windows: [text] } })).toBe(false);
  });
});

describe('texts of a stack', () => {
  const source = (url: string) => ({ source: { url, path: 'a' } });

  it.each([
    source('https://github.com/acme/infra'),
    source('https://git.example.com:8443/acme/infra.git'),
    source('ssh://git@git.example.com:7999/acme/infra.git'),
    source('git@github.com:acme/infra.git'),
    source('file:///srv/infra'),
    { source: { path: '.' } },
    { source: { path: 'a b/ü', ref: 'release/1.2' } },
    { engine: { version: null } },
    { env: { TF_LOG_PROVIDER: 'x', AWS_PROFILE: 'x' } },
    { planRole: 'arn:aws-cn:iam::111122223333:role/path/to/role' },
    { region: 'us-gov-west-1' },
    { secrets: { A: { secretsManager: 'x', jsonKey: 'any key' } } },
    { planRole: null, suspend: null, owner: null },
  ])('may be %j', (settings) => {
    expect(accepts(settings)).toBe(true);
  });

  it.each([
    source('https://user:secret@github.com/acme/infra'),
    source('https://token@github.com/acme/infra'),
    source('ssh://git:secret@github.com/acme/infra'),
    source('https://github.com/acme/infra?token=secret'),
    source('http://github.com/acme/infra'),
    source('ext::sh -c whoami'),
    source('--upload-pack=x'),
    source('git@-oProxyCommand=x:y'),
    source('/srv/infra'),
    { source: { path: '/etc' } },
    { source: { path: '../other' } },
    { source: { path: 'a/../../b' } },
    { source: { path: 'a', ref: '--upload-pack=x' } },
    { source: { path: 'a', ref: 'a b' } },
    { varFiles: ['/etc/passwd'] },
    { workspace: '-x' },
    { workspace: 'a/b' },
    { planRole: 'holdfast-plan' },
    { planRole: 'arn:aws:iam::111122223333:user/x' },
    { region: 'Frankfurt' },
    { labels: ['a b'] },
    { labels: ['a*'] },
    { env: { PORT: 8080 } },
    { env: { 'A-B': 'x' } },
    { env: { TF_CLI_ARGS_plan: '-destroy' } },
    { env: { TF_WORKSPACE: 'x' } },
    { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'x' } },
    { secrets: { A: {} } },
    { secrets: { A: { ssm: 'x', secretsManager: 'y' } } },
    { secrets: { A: { ssm: 'x', jsonKey: 'y' } } },
    { secrets: { A: 'x' } },
    { vars: { 'a b': 1 } },
    { vars: { a: Number.NaN } },
    { suspend: true },
    { owner: 'two\nlines' },
    { schedule: { rate: '30s' } },
    { schedule: { timezone: 'Berlin' } },
    { schedule: { cron: [] } },
    { retry: { attempts: 0 } },
    { remediation: { mode: 'yes' } },
    { approval: { required: 0 } },
  ])('fail as %j', (settings) => {
    expect(accepts(settings)).toBe(false);
  });

  it('take versions that can be resolved, and no others', () => {
    const clause = fc
      .tuple(
        fc.constantFrom('', '=', '!=', '>', '>=', '<', '<=', '~>', '=>'),
        fc.constantFrom('', ' '),
        fc.constantFrom('1', '1.9', '1.9.3', '1.9.x', '1.x', 'v1.2', '1.2.0-rc1', 'x', '1.2.3.4', ''),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(clause, { minLength: 1, maxLength: 3 }), (clauses) => {
        const version = clauses.join(', ');
        let resolvable = true;
        try {
          parseConstraint(version);
        } catch {
          resolvable = false;
        }

        expect(accepts({ engine: { version } }), version).toBe(resolvable);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the published schema of catalogues', () => {
  const schema = z.fromJSONSchema(PUBLISHED_SCHEMAS['catalogue.schema.json'] as z.core.JSONSchema.JSONSchema);

  it('lets editors accept the example', () => {
    expect(schema.safeParse(example).error).toBeUndefined();
    expect(CatalogueFile.safeParse(example).error).toBeUndefined();
  });

  it.each([
    { stacks: [{}] },
    { stacks: [{ id: 'A' }] },
    { stacks: [{ id: 'a', timeout: 'soon' }] },
    { discover: [{ id: 'a' }] },
    { contexts: [{ name: 'c', vars: [] }] },
    { defaults: { labls: [] } },
    { stack: [] },
  ])('lets editors refuse %j', (file) => {
    expect(schema.safeParse(file).success).toBe(false);
  });

  it('explains every field', () => {
    const unexplained: string[] = [];
    JSON.stringify(PUBLISHED_SCHEMAS['catalogue.schema.json'], (name, value) => {
      if (name === 'properties') {
        for (const [field, { description }] of Object.entries<{ description?: string }>(value)) {
          if (description === undefined) unexplained.push(field);
        }
      }
      return value;
    });

    // That of a rule about severities speaks for itself.
    expect([...new Set(unexplained)]).toEqual(['severity']);
  });
});

describe('catalogueKeys', () => {
  it('are the names of fields at every depth', () => {
    expect([...catalogueKeys()]).toEqual(
      expect.arrayContaining(['stacks', 'planRole', 'backoff', 'jsonKey', 'expires']),
    );
    expect(catalogueKeys().has('properties')).toBe(false);
  });
});
