import { describe, expect, expectTypeOf, it } from 'vitest';
import { PUBLISHED_SCHEMAS } from '../../lib/contract/published-schemas.ts';
import { RulesFile } from '../../lib/contract/rules-schema.ts';
import { NO_RULES, type Rules } from '../../lib/domain/rules.ts';

const rule = { address: 'aws_sqs_queue.*', owner: 'team-queues', reason: 'known', expires: '2027-03-31' };

const expected = (file: object) => {
  const { error } = RulesFile.safeParse(file);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
};

describe('the schema of rules', () => {
  it('gives what the domain applies', () => {
    expectTypeOf<RulesFile>().toExtend<Rules>();
  });

  it('takes an empty file for no rules', () => {
    expect(RulesFile.parse({})).toEqual(NO_RULES);
  });

  it('fills in every stack and every path, and adds nothing else', () => {
    expect(RulesFile.parse({ ignore: [rule], severity: [{ address: '*', severity: 'low' }] })).toEqual({
      ...NO_RULES,
      ignore: [{ stack: '*', path: '*', ...rule }],
      severity: [{ stack: '*', address: '*', path: '*', severity: 'low' }],
    });
  });

  it('keeps all that a rule may say', () => {
    const file = {
      ignore: [{ ...rule, stack: 'prod/*', path: 'tags*', value: 'x', classes: ['absorbed'] }],
      severity: [],
      serviceOwned: [{ type: 'acme_*', path: 'build', owned: false }],
      allowValues: [{ address: '*', path: 'delay_seconds' }],
    };

    expect(RulesFile.parse(file)).toEqual(file);
  });

  it("takes an attribute for the service's own unless told otherwise", () => {
    expect(RulesFile.parse({ serviceOwned: [{ type: 'a', path: 'b' }] }).serviceOwned).toEqual([
      { type: 'a', path: 'b', owned: true },
    ]);
  });

  it.each(['2027-03-31', '2028-02-29', 'never'])('lets a rule hold until %s', (expires) => {
    expect(expected({ ignore: [{ ...rule, expires }] })).toEqual([]);
  });

  it.each(['2027-02-29', '2027-13-01', '31.3.2027', '2027-3-1', '', 'forever', 20270331, null])(
    'fails on a rule that holds until %j',
    (expires) => {
      expect(expected({ ignore: [{ ...rule, expires }] })).toEqual([
        'ignore.0.expires: expected a date such as 2027-03-31, or never',
      ]);
    },
  );

  it.each<[string, object, RegExp]>([
    ['no owner', { owner: undefined }, /^ignore\.0\.owner: .*expected string/],
    ['an empty owner', { owner: '' }, /^ignore\.0\.owner: /],
    ['an empty reason', { reason: '' }, /^ignore\.0\.reason: /],
    ['no address', { address: undefined }, /^ignore\.0\.address: .*expected string/],
    ['an empty pattern', { path: '' }, /^ignore\.0\.path: /],
    ['an unknown class', { classes: ['drift'] }, /^ignore\.0\.classes\.0: .*"deleted-outside"\|"changed-outside"/],
    ['no class at all', { classes: [] }, /^ignore\.0\.classes: /],
    ['an unknown member', { ownr: 'me' }, /^ignore\.0: .*"ownr"/],
    ['a severity', { severity: 'low' }, /^ignore\.0: .*"severity"/],
  ])('fails on an ignore rule with %s', (_, members, message) => {
    expect(expected({ ignore: [{ ...rule, ...members }] })).toEqual([expect.stringMatching(message)]);
  });

  it('fails on an unknown severity and an unknown section', () => {
    expect(expected({ severity: [{ address: '*', severity: 'terrible' }] })[0]).toContain('"critical"|"high"');
    expect(expected({ ignores: [] })).toEqual([expect.stringContaining('"ignores"')]);
  });
});

describe('the published schema of rules', () => {
  it('asks only for what has no default: an editor checks what people write', () => {
    expect(PUBLISHED_SCHEMAS['rules.schema.json']).toMatchObject({
      properties: {
        ignore: { items: { required: ['address', 'owner', 'reason', 'expires'], additionalProperties: false } },
      },
      additionalProperties: false,
    });
    expect(PUBLISHED_SCHEMAS['rules.schema.json']).not.toHaveProperty('required');
  });
});
