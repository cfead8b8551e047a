import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson } from '../../lib/cli/format-json.ts';
import { aFailedResult, aResult } from '../support/builders.ts';
import { hostileResult } from '../support/hostile-results.ts';

describe('the JSON report', () => {
  it('is the result itself for a command about one stack', () => {
    const result = aResult();
    expect(JSON.parse(formatJson([result], { single: true }))).toEqual(result);
  });

  it('is a list for a command about many, even where there is one', () => {
    const result = aResult();
    expect(JSON.parse(formatJson([result], { single: false }))).toEqual([result]);
  });

  it('loses no result where one was expected', () => {
    const results = [aResult(), aFailedResult()];
    expect(JSON.parse(formatJson(results, { single: true }))).toEqual(results);
  });

  it('is indented and ends with a newline', () => {
    expect(formatJson([], { single: false })).toBe('[]\n');
    expect(formatJson([aResult()], { single: true })).toMatch(/^\{\n {2}"schemaVersion": 1,\n[\s\S]*\n\}\n$/);
  });

  it('brings any text back as it was', () => {
    fc.assert(
      fc.property(fc.array(hostileResult(), { maxLength: 3 }), (results) => {
        expect(JSON.parse(formatJson(results, { single: false }))).toEqual(results);
      }),
    );
  });
});
