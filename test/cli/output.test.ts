import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson } from '../../lib/cli/format-json.ts';
import { createOutput, type OutputStream } from '../../lib/cli/output.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { hostileResult, hostileText, TERMINAL_COMMAND } from '../support/hostile-results.ts';

interface FakeStream extends OutputStream {
  text: string;
  fail(code: string): void;
}

function aStream(properties: Pick<OutputStream, 'isTTY' | 'columns'> = {}): FakeStream {
  const listeners: ((error: NodeJS.ErrnoException) => void)[] = [];
  return {
    ...properties,
    text: '',
    write(text) {
      this.text += text;
    },
    on(_, listener) {
      listeners.push(listener);
    },
    fail(code) {
      for (const listener of listeners) listener(Object.assign(new Error(`write ${code}`), { code }));
    },
  };
}

const TERMINAL = { isTTY: true, columns: 120 };

function anOutput({
  stdout = aStream(),
  stderr = aStream(),
  env = {},
}: {
  readonly stdout?: FakeStream;
  readonly stderr?: FakeStream;
  readonly env?: Readonly<Record<string, string>>;
} = {}) {
  return { stdout, stderr, output: createOutput({ stdout, stderr, env }) };
}

describe('the output', () => {
  it('writes reports to stdout and nothing else there', () => {
    const { output, stdout, stderr } = anOutput();
    output.print('report\n');
    output.say('message');
    output.error(new HoldfastError('StackNotFound', 'no such stack'));
    expect(stdout.text).toBe('report\n');
    expect(stderr.text).toBe('message\nerror: no such stack\n');
  });

  it('tells place and hint of an error', () => {
    const { output, stderr } = anOutput();
    const location = { file: 'holdfast.yaml', line: 3, column: 7 };
    output.error(new HoldfastError('RulesInvalid', 'unknown key "onwer"', { location, hint: 'Did you mean "owner"?' }));
    expect(stderr.text).toBe('error: unknown key "onwer"\n  at holdfast.yaml:3:7\n  hint: Did you mean "owner"?\n');
  });

  it('tells the stack of a bug', () => {
    const { output, stderr } = anOutput();
    output.error(new TypeError('x is not a function'));
    expect(stderr.text).toMatch(
      /^error: unexpected failure, a bug in Holdfast\nTypeError: x is not a function\n {4}at .*output\.test\.ts/,
    );
  });

  it('tells what was thrown where that is no error', () => {
    const { output, stderr } = anOutput();
    output.error('oops');
    expect(stderr.text).toContain('\noops\n');
  });

  it('tells the message of an error without a stack', () => {
    const { output, stderr } = anOutput();
    output.error(Object.assign(new Error('bare'), { stack: undefined }));
    expect(stderr.text).toContain('\nError: bare\n');
  });
});

describe('the colour of the output', () => {
  it.each([
    ['on a terminal', TERMINAL, {}, true],
    ['in a pipe', {}, {}, false],
    ['on a terminal with NO_COLOR', TERMINAL, { NO_COLOR: '1' }, false],
    ['on a terminal with an empty NO_COLOR', TERMINAL, { NO_COLOR: '' }, true],
    ['on a dumb terminal', TERMINAL, { TERM: 'dumb' }, false],
    ['in a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, true],
    ['with FORCE_COLOR and NO_COLOR', {}, { FORCE_COLOR: '', NO_COLOR: '1' }, true],
    ['on a terminal with FORCE_COLOR=0', TERMINAL, { FORCE_COLOR: '0' }, false],
    ['on a terminal with FORCE_COLOR=false', TERMINAL, { FORCE_COLOR: 'false' }, false],
  ])('%s', (_, stream, env, color) => {
    expect(anOutput({ stdout: aStream(stream), env }).output.color).toBe(color);
  });

  it('is decided for each stream by itself', () => {
    const { output, stderr } = anOutput({ stderr: aStream(TERMINAL) });
    output.error(new HoldfastError('StackNotFound', 'no such stack'));
    expect(output.color).toBe(false);
    expect(stderr.text).toBe('\u001b[31merror:\u001b[39m no such stack\n');
  });
});

describe('the width of the output', () => {
  it.each([
    ['that of a terminal', TERMINAL, 120],
    ['80 where a terminal does not know its own', { isTTY: true, columns: 0 }, 80],
    ['without end in a pipe', {}, Number.POSITIVE_INFINITY],
  ])('is %s', (_, stream, width) => {
    expect(anOutput({ stdout: aStream(stream) }).output.width).toBe(width);
  });
});

describe('live progress', () => {
  it.each([
    ['on a terminal', TERMINAL, {}, true],
    ['in a pipe', {}, {}, false],
    ['on a dumb terminal', TERMINAL, { TERM: 'dumb' }, false],
    ['in CI', TERMINAL, { CI: 'true' }, false],
  ])('%s', (_, stream, env, live) => {
    expect(anOutput({ stderr: aStream(stream), env }).output.live).toBe(live);
  });
});

describe('a closed pipe', () => {
  it('ends the output quietly', () => {
    const { output, stdout } = anOutput();
    output.print('one\n');
    stdout.fail('EPIPE');
    output.print('two\n');
    expect(stdout.text).toBe('one\n');
  });

  it('leaves the other stream open', () => {
    const { output, stdout, stderr } = anOutput();
    stdout.fail('EPIPE');
    output.say('message');
    expect(stderr.text).toBe('message\n');
  });

  it('fails on any other error of a stream', () => {
    const { stdout } = anOutput();
    expect(() => stdout.fail('ENOSPC')).toThrow('ENOSPC');
  });
});

describe('control characters', () => {
  it('reach a terminal as text, except for line breaks and our colours', () => {
    const { output, stdout } = anOutput({ stdout: aStream(TERMINAL) });
    output.print('\u001b[31mred\u001b[39m\ta\u001b[2Jb\u009b2Jc\u202ed\n');
    expect(stdout.text).toBe('\u001b[31mred\u001b[39m\ta\\u001b[2Jb\\u009b2Jc\\u202ed\n');
  });

  it('include colours where there are none of ours', () => {
    const { output, stdout } = anOutput();
    output.print('\u001b[31mred\n');
    expect(stdout.text).toBe('\\u001b[31mred\n');
  });

  it('do not pass in messages and errors', () => {
    fc.assert(
      fc.property(hostileText(), hostileText(), (message, hint) => {
        const { output, stderr } = anOutput();
        output.say(message);
        output.error(new HoldfastError('PlanFailed', message, { hint, location: { file: message } }));
        output.error(new Error(message));
        expect(stderr.text.replaceAll('\t', '')).not.toMatch(TERMINAL_COMMAND);
      }),
    );
  });

  it('in JSON stay what they were to its reader', () => {
    fc.assert(
      fc.property(fc.array(hostileResult(), { maxLength: 2 }), (results) => {
        const { output, stdout } = anOutput();
        output.print(formatJson(results, { single: false }));
        expect(JSON.parse(stdout.text)).toEqual(results);
      }),
    );
  });
});
