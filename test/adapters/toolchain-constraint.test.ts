import { describe, expect, it } from 'vitest';
import { parseConstraint } from '../../lib/adapters/toolchain-constraint.ts';

describe('parseConstraint', () => {
  it.each([
    { constraint: '1.11.4', yes: ['1.11.4'], no: ['1.11.3', '1.11.5'] },
    { constraint: 'v1.11.4', yes: ['1.11.4'], no: ['1.11.5'] },
    { constraint: '= 1.11.4', yes: ['1.11.4'], no: ['1.11.5'] },
    { constraint: '1.11', yes: ['1.11.0'], no: ['1.11.1'] },
    { constraint: '1.9.x', yes: ['1.9.0', '1.9.8'], no: ['1.8.9', '1.10.0'] },
    { constraint: '1.*', yes: ['1.0.0', '1.14.2'], no: ['0.15.5', '2.0.0'] },
    { constraint: '~> 1.11', yes: ['1.11.0', '1.99.0'], no: ['1.10.9', '2.0.0'] },
    { constraint: '~> 1.11.2', yes: ['1.11.2', '1.11.9'], no: ['1.11.1', '1.12.0'] },
    { constraint: '~>1', yes: ['1.0.0', '2.5.0'], no: ['0.15.5'] },
    { constraint: '> 1.5', yes: ['1.5.1', '1.6.0'], no: ['1.5.0'] },
    { constraint: '<= 1.5', yes: ['1.5.0'], no: ['1.5.1'] },
    { constraint: '>= 1.5, < 2.0', yes: ['1.5.0', '1.99.0'], no: ['1.4.9', '2.0.0'] },
    { constraint: '!= 1.6.0', yes: ['1.5.9', '1.6.1'], no: ['1.6.0'] },
    { constraint: '>= 1.5,!= 1.6,!= 1.6.1', yes: ['1.5.0', '1.6.2'], no: ['1.6.0', '1.6.1', '1.4.0'] },
  ])('reads "$constraint"', ({ constraint, yes, no }) => {
    const matches = parseConstraint(constraint);
    expect({ yes: yes.filter(matches), no: no.filter(matches) }).toEqual({ yes, no: [] });
  });

  it.each([
    { constraint: '>= 1.5', version: '1.12.0-rc1', matches: false },
    { constraint: '1.12.0-rc1', version: '1.12.0-rc1', matches: true },
    { constraint: '>= 1.12.0-beta1', version: '1.12.0-rc1', matches: true },
    { constraint: '~> 1.12.0-beta1', version: '1.13.0', matches: false },
  ])('takes the pre-release $version for "$constraint": $matches', ({ constraint, version, matches }) => {
    expect(parseConstraint(constraint)(version)).toBe(matches);
  });

  it.each(['', 'latest', '>= 1.5 < 2.0', '=> 1.5', '1.2.3.4', '>= 1.x', '~> 1.9.x', '1.5,'])(
    'fails on "%s"',
    (constraint) => {
      expect(() => parseConstraint(constraint)).toThrow(
        expect.objectContaining({ code: 'ArgumentInvalid', message: expect.stringContaining(`"${constraint}"`) }),
      );
    },
  );
});
