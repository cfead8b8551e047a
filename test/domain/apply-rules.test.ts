import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRules } from '../../lib/domain/apply-rules.ts';
import type { PathChange } from '../../lib/domain/diff.ts';
import type { Draft } from '../../lib/domain/draft.ts';
import { FINDING_CLASSES } from '../../lib/domain/finding.ts';
import { formatPath, type Path } from '../../lib/domain/path.ts';
import { type IgnoreRule, NO_RULES, type Rules, selects } from '../../lib/domain/rules.ts';

const TODAY = '2026-11-30';

const change = (path: Path, after: PathChange['after'] = 'new'): PathChange => ({
  path,
  before: 'old',
  after,
  unknown: false,
  sensitive: false,
});

const aDraft = (overrides: Partial<Draft> = {}): Draft => ({
  address: 'aws_sqs_queue.jobs',
  type: 'aws_sqs_queue',
  class: 'changed-outside',
  standing: 'drift',
  actions: ['update'],
  changes: [change(['tags', 'team']), change(['delay_seconds'], 5), change(['policy'])],
  cause: { kind: 'outside-change', inferred: false },
  ...overrides,
});

const ignoring = (...rules: readonly Partial<IgnoreRule>[]): Rules => ({
  ...NO_RULES,
  ignore: rules.map((rule) => ({
    stack: '*',
    address: '*',
    path: '*',
    owner: 'team-queues',
    reason: 'known',
    expires: 'never',
    ...rule,
  })),
});

const apply = (rules: Rules, draft = aDraft()) => {
  const { kept, suppressed } = applyRules('prod/queues', [draft], rules, TODAY);
  return {
    kept: kept.map(({ severity, changes }) => [severity, ...changes.map(({ path }) => formatPath(path))]),
    suppressed,
  };
};

describe('applyRules without ignore rules', () => {
  it('keeps everything, as severe as its worst place', () => {
    expect(apply(NO_RULES)).toEqual({ kept: [['high', 'tags.team', 'delay_seconds', 'policy']], suppressed: [] });
  });

  it("follows the class's own severity", () => {
    expect(apply(NO_RULES, aDraft({ severity: 'info' })).kept[0]?.[0]).toBe('info');
  });

  it('gives a whole resource a severity of its own', () => {
    expect(apply(NO_RULES, aDraft({ changes: [] })).kept).toEqual([['medium']]);
    expect(apply(NO_RULES, aDraft({ changes: [], type: 'aws_iam_role' })).kept).toEqual([['high']]);
  });

  it("follows a team's rule about severity, for a whole resource too", () => {
    const rules: Rules = { ...NO_RULES, severity: [{ stack: '*', address: '*', path: '*', severity: 'low' }] };

    expect(apply(rules).kept[0]?.[0]).toBe('low');
    expect(apply(rules, aDraft({ changes: [], severity: 'critical' })).kept).toEqual([['low']]);
  });
});

describe('an ignore rule', () => {
  it('takes out the places it matches and leaves the others (field case C5)', () => {
    expect(apply(ignoring({ path: 'tags*' }))).toEqual({
      kept: [['high', 'delay_seconds', 'policy']],
      suppressed: [
        {
          address: 'aws_sqs_queue.jobs',
          class: 'changed-outside',
          severity: 'low',
          paths: ['tags.team'],
          rule: { owner: 'team-queues', reason: 'known', expires: 'never' },
        },
      ],
    });
  });

  it('lowers the severity of what is left where it takes out the worst', () => {
    expect(apply(ignoring({ path: 'policy' })).kept).toEqual([['medium', 'tags.team', 'delay_seconds']]);
  });

  it('takes out a finding where it matches every place', () => {
    const { kept, suppressed } = apply(ignoring({}));

    expect(kept).toEqual([]);
    expect(suppressed.map(({ paths }) => paths)).toEqual([['tags.team', 'delay_seconds', 'policy']]);
  });

  it('is accounted for apart from others', () => {
    const { suppressed } = apply(ignoring({ path: 'tags*', owner: 'finance' }, { path: '*', owner: 'team-queues' }));

    expect(suppressed.map(({ paths, rule }) => [rule.owner, ...paths])).toEqual([
      ['finance', 'tags.team'],
      ['team-queues', 'delay_seconds', 'policy'],
    ]);
  });

  it.each<[string, Partial<IgnoreRule>, number]>([
    ['a text value as it is', { path: 'tags.team', value: 'new' }, 1],
    ['another value as JSON', { path: 'delay_seconds', value: '5' }, 1],
    ['a wrong value', { path: 'delay_seconds', value: '6' }, 0],
    ['another stack', { stack: 'dev/*' }, 0],
    ['another class', { classes: ['absorbed'] }, 0],
  ])('is held against %s', (_, rule, suppressed) => {
    expect(apply(ignoring(rule)).suppressed).toHaveLength(suppressed);
  });

  it('of every path covers a whole resource, of some paths does not', () => {
    const whole = aDraft({ changes: [], class: 'deleted-outside', severity: 'critical' });

    expect(apply(ignoring({ path: '*' }), whole).suppressed).toMatchObject([{ severity: 'critical', paths: [] }]);
    expect(apply(ignoring({ path: 'tags*' }), whole)).toMatchObject({ kept: [['critical']], suppressed: [] });
    expect(apply(ignoring({ path: '*', value: 'new' }), whole).suppressed).toEqual([]);
  });

  it('holds through its last day and hides nothing after it', () => {
    expect(apply(ignoring({ expires: TODAY })).kept).toEqual([]);
    expect(apply(ignoring({ expires: '2026-11-29' }))).toEqual(apply(NO_RULES));
  });

  it('that has expired does not stand in front of one that holds', () => {
    const { suppressed } = apply(ignoring({ expires: '2026-11-29', owner: 'old' }, { owner: 'new' }));

    expect(suppressed.map(({ rule }) => rule.owner)).toEqual(['new']);
  });
});

const segment = fc.constantFrom('tags', 'team', 'policy', 'a.b', 0, 1);
const anyDraft = fc
  .record({
    address: fc.constantFrom('aws_sqs_queue.a', 'aws_sqs_queue.b["x"]', 'module.m.aws_iam_role.c'),
    class: fc.constantFrom(...FINDING_CLASSES),
    changes: fc.array(fc.tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom('new', null, 7)), {
      maxLength: 5,
    }),
  })
  .map(({ changes, ...draft }) => aDraft({ ...draft, changes: changes.map(([path, after]) => change(path, after)) }));
const pattern = fc.constantFrom('*', 'tags*', '*policy*', 'aws_sqs_queue.*', 'tags.team', '*0*', 'prod/*', 'new');
const anyRule = fc
  .record(
    {
      stack: pattern,
      address: pattern,
      path: pattern,
      value: pattern,
      classes: fc.uniqueArray(fc.constantFrom(...FINDING_CLASSES), { minLength: 1 }),
      expires: fc.constantFrom('never', '2026-01-01', '2027-01-01'),
    },
    { requiredKeys: ['stack', 'address', 'path', 'expires'] },
  )
  .map((rule): IgnoreRule => ({ owner: 'team', reason: 'known', ...rule }));

describe('generated ignore rules', () => {
  const everything = fc.tuple(fc.array(anyDraft, { maxLength: 4 }), fc.array(anyRule, { maxLength: 4 }));

  it('never hide a place that none of them matches', () => {
    fc.assert(
      fc.property(everything, ([drafts, ignore]) => {
        const { suppressed } = applyRules('prod/queues', drafts, { ...NO_RULES, ignore }, TODAY);

        for (const { address, class: findingClass, paths } of suppressed) {
          for (const path of paths.length === 0 ? [''] : paths) {
            const values = drafts
              .flatMap(({ changes }) => changes)
              .filter((place) => formatPath(place.path) === path)
              .map(({ after }) => String(after));
            const places = (path === '' ? [''] : values).map((value) => ({
              address,
              path,
              value,
              class: findingClass,
            }));
            const holding = ignore.filter(({ expires }) => expires !== '2026-01-01');
            expect(
              places.some((place) => holding.some((rule) => selects(rule, { stack: 'prod/queues', ...place }))),
            ).toBe(true);
          }
        }
      }),
    );
  });

  it('lose no place: each is kept or suppressed, once', () => {
    fc.assert(
      fc.property(everything, ([drafts, ignore]) => {
        const { kept, suppressed } = applyRules('prod/queues', drafts, { ...NO_RULES, ignore }, TODAY);
        const places = (address: string, paths: readonly string[]) =>
          (paths.length === 0 ? [''] : paths).map((path) => `${address} ${path}`);
        const textOf = ({ address, changes }: Draft) =>
          places(
            address,
            changes.map(({ path }) => formatPath(path)),
          );

        const after = [...kept.flatMap(textOf), ...suppressed.flatMap(({ address, paths }) => places(address, paths))];

        expect(after.sort()).toEqual(drafts.flatMap(textOf).sort());
      }),
    );
  });
});
