import { describe, expect, it } from 'vitest';
import { assertNever, HoldfastError } from '../../lib/domain/errors.ts';

describe('HoldfastError', () => {
  it('goes by its code, which Step Functions matches on', () => {
    const error = new HoldfastError('PlanFailed', 'terraform plan failed');

    expect(error).toBeInstanceOf(Error);
    expect(`${error}`).toBe('PlanFailed: terraform plan failed');
    expect(error.code).toBe('PlanFailed');
  });

  it('carries where it happened, what to do, and what caused it', () => {
    const cause = new RangeError('too far');
    const location = { file: 'main.tf', line: 3, column: 1 };

    const error = new HoldfastError('RulesInvalid', 'no such class', { hint: 'See the list.', location, cause });

    expect(error).toMatchObject({ hint: 'See the list.', location, cause });
  });

  it('carries what must not be shown, and shows it to nobody who prints it', () => {
    const error = new HoldfastError('PlanFailed', 'no', { secrets: ['hunter2'] });

    expect(error.secrets).toEqual(['hunter2']);
    expect(JSON.stringify({ ...error }) + Object.getOwnPropertyNames(error).join()).not.toMatch(/hunter2|secrets/);
  });

  it('has neither hint nor place unless it is given one', () => {
    const { hint, location, cause } = new HoldfastError('TimedOut', 'took too long');

    expect([hint, location, cause]).toEqual([undefined, undefined, undefined]);
  });
});

describe('assertNever', () => {
  it('fails with the value that no case handles', () => {
    expect(() => assertNever('sideways' as never)).toThrow('unhandled case "sideways"');
  });
});
