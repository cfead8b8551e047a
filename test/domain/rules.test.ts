import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type IgnoreRule,
  isExpired,
  matchesPattern,
  type Selectable,
  type Selector,
  selects,
} from '../../lib/domain/rules.ts';

describe('matchesPattern', () => {
  it.each([
    ['tags', 'tags', true],
    ['tags', 'tags_all', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'anything [at] all', true],
    ['aws_iam_*', 'aws_iam_role', true],
    ['aws_iam_*', 'aws_s3_bucket', false],
    ['*_policy', 'assume_role_policy', true],
    ['*_policy', 'policy', false],
    ['*policy*', 'inline_policy[0].name', true],
    ['module.*.aws_sqs_queue.*', 'module.a.module.b.aws_sqs_queue.q["x"]', true],
    ['module.*.aws_sqs_queue.*', 'aws_sqs_queue.q', false],
    ['a*b*c', 'a-c-b', false],
    ['a*b*c', 'abc', true],
    // One character can't be start and end at once.
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['**', 'x', true],
    // Everything but the star stands for itself.
    ['tags["a.b"]', 'tags["a.b"]', true],
    ['tags[.*]', 'tags["a"]', false],
    ['a.c', 'abc', false],
  ])('%j matches %j: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it('agrees with a regular expression that says the same', () => {
    const piece = fc.constantFrom('*', 'a', 'b', '.');
    const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(pattern, text, (wanted, given) => {
        const expression = wanted.split('*').map(RegExp.escape).join('.*');
        expect(matchesPattern(wanted, given)).toBe(new RegExp(`^${expression}$`).test(given));
      }),
    );
  });

  it('is quick about patterns that make regular expressions hang', () => {
    expect(matchesPattern(`${'*a'.repeat(1000)}*b`, 'a'.repeat(100_000))).toBe(false);
  });
});

describe('selects', () => {
  const place: Selectable = {
    stack: 'prod/queues',
    address: 'aws_sqs_queue.jobs',
    path: 'tags.team',
    value: 'payments',
    class: 'changed-outside',
  };
  const everything: Selector = { stack: '*', address: '*', path: '*' };

  it('takes everything where nothing narrows it down', () => {
    expect(selects(everything, place)).toBe(true);
  });

  it.each<[string, Partial<Selector>, boolean]>([
    ['the stack', { stack: 'prod/*' }, true],
    ['another stack', { stack: 'dev/*' }, false],
    ['the address', { address: 'aws_sqs_queue.*' }, true],
    ['another address', { address: 'aws_sns_topic.*' }, false],
    ['the path', { path: 'tags*' }, true],
    ['another path', { path: 'policy' }, false],
    ['the value', { value: 'pay*' }, true],
    ['another value', { value: 'orders' }, false],
    ['the class among others', { classes: ['absorbed', 'changed-outside'] }, true],
    ['other classes', { classes: ['absorbed'] }, false],
  ])('narrows down by %s', (_, narrower, expected) => {
    expect(selects({ ...everything, ...narrower }, place)).toBe(expected);
  });
});

describe('isExpired', () => {
  const rule = (expires: string): IgnoreRule => ({
    stack: '*',
    address: '*',
    path: '*',
    owner: 'team',
    reason: 'known',
    expires,
  });

  it.each([
    ['2027-03-31', '2027-03-30', false],
    ['2027-03-31', '2027-03-31', false],
    ['2027-03-31', '2027-04-01', true],
    ['2026-12-31', '2027-01-01', true],
    ['never', '9999-12-31', false],
  ])('a rule until %s, on %s: %s', (expires, today, expected) => {
    expect(isExpired(rule(expires), today)).toBe(expected);
  });
});
