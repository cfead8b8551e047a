import { describe, expect, it } from 'vitest';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { createOutput } from '../../lib/cli/output.ts';
import { createScreen } from '../../lib/cli/screen.ts';
import type { Services } from '../../lib/cli/services.ts';
import { runStatus } from '../../lib/cli/status.ts';
import { aStack, aSummary, result, runOnce, START } from '../support/stack-builder.ts';

function aTerminal(size: { readonly columns?: number; readonly rows?: number }) {
  const written: string[] = [];
  return { ...size, isTTY: true, written, write: (text: string) => written.push(text), on: () => {} };
}

describe('a screen', () => {
  it('puts lines where the last ones stood', () => {
    const terminal = aTerminal({});
    const screen = createScreen(terminal);
    screen.show(['one', 'two']);
    screen.show(['three']);
    screen.show([]);
    screen.show([]);

    expect(terminal.written).toEqual(['one\ntwo\n', '\u001b[2A\r\u001b[Jthree\n', '\u001b[1A\r\u001b[J']);
  });

  it('leaves the last column and row free, which would scroll it', () => {
    const screen = createScreen(aTerminal({ columns: 120, rows: 50 }));

    expect([screen.width(), screen.height()]).toEqual([119, 49]);
  });

  it('takes the usual size where the terminal does not tell', () => {
    const screen = createScreen(aTerminal({}));

    expect([screen.width(), screen.height()]).toEqual([79, 23]);
  });
});

describe('status --watch on a terminal', () => {
  const watch = async (rows: number): Promise<readonly string[]> => {
    const stacks = createMemoryStackStore();
    for (const id of ['a', 'b', 'c', 'd']) {
      const { spec, state } = runOnce(aStack({ id }), result(aSummary()), START);
      await stacks.putSpec(spec, state);
    }
    const stop = new AbortController();
    const terminal = aTerminal({ columns: 100, rows });
    let rounds = 0;
    const services = {
      output: createOutput({ stdout: terminal, stderr: terminal, env: { NO_COLOR: '1' } }),
      progressStream: terminal,
      clock: { now: () => START },
      signal: stop.signal,
      connect: async () => ({ stacks, close() {} }),
      wait: async () => {
        rounds += 1;
        if (rounds === 2) stop.abort();
      },
    };
    // Of all services, these are what the command takes.
    await runStatus(services as unknown as Services, [], { watch: true });
    return terminal.written;
  };

  it('redraws the table', async () => {
    const [first = '', second = ''] = await watch(30);

    expect(first).toMatch(/^ {3}STACK .*\n✓ {2}a .*\n✓ {2}b /);
    expect(second).toBe(`\u001b[${first.split('\n').length - 1}A\r\u001b[J${first}`);
  });

  it('shows as much of it as there are rows, and says how much is missing', async () => {
    const [first = ''] = await watch(4);

    expect(first.split('\n')).toEqual([
      expect.stringContaining('STACK'),
      expect.stringMatching(/^✓ {2}a /),
      '+5 more: make the window higher, or name the stacks',
      '',
    ]);
  });
});
