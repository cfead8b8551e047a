import { describe, expect, it } from 'vitest';
import { collect, parseCount, parseDuration, parseEngine, parseExitCode, rulesFor } from '../../lib/cli/options.ts';
import { NO_RULES, type Rules } from '../../lib/domain/rules.ts';

const refusal = { code: 'ArgumentInvalid' };

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['596h', 2_145_600_000],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  // A timer of 2^31 ms and more would fire at once.
  it.each(['', '30', 'm', '1.5h', '-5m', '0s', '30 m', '1d', '30m ', '597h', '99999999999999h'])(
    'fails on %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(expect.objectContaining(refusal));
    },
  );
});

describe('parseCount', () => {
  it.each([
    ['1', 1],
    ['64', 64],
  ])('reads %s', (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  it.each(['', '0', '-1', '1.5', 'two', 'Infinity', '1,5'])('fails on %j', (text) => {
    expect(() => parseCount(text)).toThrow(`"${text}" is no count, expected a whole number from 1`);
  });
});

describe('parseExitCode', () => {
  it.each([
    ['0', 0],
    ['2', 2],
    ['137', 137],
    ['-9', -9],
  ])('reads %s', (text, code) => {
    expect(parseExitCode(text)).toBe(code);
  });

  it.each(['', 'two', '1.0', '0x2', '2 ', '99999999999999999999'])('fails on %j: nothing must pass for 0', (text) => {
    expect(() => parseExitCode(text)).toThrow(expect.objectContaining(refusal));
  });
});

describe('parseEngine', () => {
  it.each([
    ['auto', { name: 'auto' }],
    ['terraform', { name: 'terraform' }],
    ['tofu', { name: 'tofu' }],
    ['terraform@1.11.4', { name: 'terraform', constraint: '1.11.4' }],
    ['tofu@~> 1.10', { name: 'tofu', constraint: '~> 1.10' }],
  ])('reads %s', (text, engine) => {
    expect(parseEngine(text)).toEqual(engine);
  });

  it.each(['', 'pulumi', 'Terraform', '@1.11', 'auto@1.11', 'opa'])('fails on %j', (text) => {
    expect(() => parseEngine(text)).toThrow(`"${text}" is no engine, expected terraform, tofu or auto`);
  });
});

describe('collect', () => {
  it('adds to what was given before, without changing it', () => {
    const before = ['a'];

    expect(collect('b', before)).toEqual(['a', 'b']);
    expect(before).toEqual(['a']);
  });
});

describe('rulesFor', () => {
  const rules: Rules = { ...NO_RULES, allowValues: [{ address: 'x.y', path: 'a' }] };
  const output = (width: number) => ({ color: false, width, live: false, print() {}, say() {}, error() {} });
  const services = { readRules: async () => rules, output: output(80) };
  const options = { format: 'human', failOn: 'low' } as const;

  it('are none without a file', async () => {
    expect(await rulesFor(services, options)).toEqual(NO_RULES);
  });

  it('are those of the file', async () => {
    expect(await rulesFor(services, { ...options, ignore: 'rules.yaml' })).toEqual(rules);
  });

  it('show every value to a person in front of a terminal who asks for it', async () => {
    expect(await rulesFor(services, { ...options, ignore: 'rules.yaml', showValues: true })).toEqual({
      ...rules,
      allowValues: [{ address: '*', path: '*' }],
    });
  });

  it('fail to show every value to a file or a pipe', async () => {
    const piped = { ...services, output: output(Number.POSITIVE_INFINITY) };

    await expect(rulesFor(piped, { ...options, showValues: true })).rejects.toMatchObject({
      ...refusal,
      hint: expect.stringContaining('allowValues'),
    });
  });

  it.each(['json', 'markdown', 'junit', 'sarif'] as const)('fail to show every value as %s', async (format) => {
    await expect(rulesFor(services, { ...options, format, showValues: true })).rejects.toMatchObject(refusal);
  });
});
