import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  countUnparsedLine,
  emptyUiStream,
  hasSomethingToShow,
  readUiEvent,
  readUiStream,
} from '../../lib/domain/ui-stream.ts';

const saved = (name: string) =>
  readUiStream(readFileSync(new URL(`../fixtures/plans/${name}/ui.jsonl`, import.meta.url), 'utf8'));

const events = (...list: readonly object[]) => readUiStream(list.map((event) => JSON.stringify(event)).join('\n'));

const SUMMARY = { type: 'change_summary', changes: { add: 0, change: 0, remove: 0, import: 0, operation: 'plan' } };
const warning = (summary: string) => ({ type: 'diagnostic', diagnostic: { severity: 'warning', summary } });
const drift = (addr: string) => ({ type: 'resource_drift', change: { resource: { addr }, action: 'update' } });
const planned = (action: string) => ({ type: 'planned_change', change: { resource: { addr: 'a.b' }, action } });

describe('readUiStream', () => {
  it('sums up a stream of real Terraform', () => {
    expect(saved('deleted-outside')).toEqual({
      ...emptyUiStream(),
      engine: { name: 'terraform', version: '1.11.4' },
      ui: '1.2',
      refreshed: 2,
      drifted: { total: 2, addresses: ['aws_sqs_queue.a', 'aws_sqs_queue.b'] },
      plannedChanges: { ...emptyUiStream().plannedChanges, create: 1 },
      summary: { add: 1, change: 0, remove: 0, import: 0, operation: 'plan' },
    });
  });

  it('counts moved resources, which the summary does not', () => {
    const { plannedChanges, summary } = saved('moved-block');
    expect(plannedChanges.move).toBe(1);
    expect(summary).toMatchObject({ add: 0, change: 0, remove: 0 });
  });

  it('keeps keys with quotes and slashes as they are', () => {
    expect(saved('for-each-keys').drifted.addresses).toContain('aws_sqs_queue.q["quote\\"d"]');
  });

  it('counts only outputs that change', () => {
    expect(saved('outputs-only').outputChanges).toBe(1);
    const outputs = { same: { action: 'noop' }, gone: { action: 'delete' }, applied: { value: 1, type: 'number' } };
    expect(events({ type: 'outputs', outputs }).outputChanges).toBe(1);
  });
});

describe('the diagnostics of a stream', () => {
  it('keeps summary and place of an error', () => {
    expect(saved('plan-error').errors).toEqual({
      total: 1,
      first: [
        {
          severity: 'error',
          summary: 'expected delay_seconds to be in the range (0 - 900), got 99999',
          location: { file: 'main.tf', line: 23, column: 18 },
        },
      ],
    });
  });

  it('keeps neither the detail of a diagnostic nor the values of its snippet', () => {
    const text = JSON.stringify(saved('check-fails'));
    expect(text).toContain('Check block assertion failed');
    expect(text).not.toContain('too small');
    expect(text).not.toContain('is 30');
  });

  it('keeps the first twenty warnings and counts all', () => {
    const { warnings, deprecations } = events(
      ...Array.from({ length: 30 }, () => warning('Argument is deprecated')),
      warning('Check block assertion failed'),
    );
    expect(warnings.total).toBe(31);
    expect(warnings.first).toHaveLength(20);
    expect(deprecations).toBe(30);
  });

  it('reads a diagnostic without a text or a place', () => {
    expect(events({ type: 'diagnostic' }).errors.first).toEqual([{ severity: 'error', summary: '(no summary)' }]);
    const nowhere = { severity: 'warning', summary: 'Odd', range: { filename: '' } };
    expect(events({ type: 'diagnostic', diagnostic: nowhere }).warnings.first).toEqual([
      { severity: 'warning', summary: 'Odd' },
    ]);
    const file = { severity: 'error', summary: 'Odd', range: { filename: 'main.tf' } };
    expect(events({ type: 'diagnostic', diagnostic: file }).errors.first[0]?.location).toEqual({ file: 'main.tf' });
  });

  it('makes one line of a summary, from its first paragraph', () => {
    const summary = 'Terraform encountered problems\nwith the configuration.\n\nThe configuration must be valid';
    const [first] = events({ type: 'diagnostic', diagnostic: { severity: 'error', summary } }).errors.first;
    expect(first?.summary).toBe('Terraform encountered problems with the configuration.');
  });

  it('cuts a summary that has no end', () => {
    const diagnostic = { severity: 'error', summary: 'x'.repeat(100_000) };
    expect(events({ type: 'diagnostic', diagnostic }).errors.first[0]?.summary).toHaveLength(301);
  });
});

describe('a stream of another version', () => {
  it('reads the version of OpenTofu', () => {
    expect(events({ type: 'version', tofu: '1.10.0', ui: '1.2' }).engine).toEqual({ name: 'tofu', version: '1.10.0' });
  });

  it('reads a stream without versions', () => {
    expect(events({ type: 'version' })).toEqual(emptyUiStream());
  });

  it('reads older summaries, which lack imports and the operation', () => {
    expect(events({ type: 'change_summary', changes: { add: 1, change: 2, remove: 3 } }).summary).toEqual({
      add: 1,
      change: 2,
      remove: 3,
      import: 0,
      operation: 'plan',
    });
  });

  it('counts an action it does not know as other', () => {
    expect(events(planned('transmogrify'), planned('__proto__'), planned('remove')).plannedChanges).toMatchObject({
      other: 2,
      remove: 1,
    });
  });

  it('counts drift without an address', () => {
    expect(events({ type: 'resource_drift' }).drifted).toEqual({ total: 1, addresses: [] });
  });

  it('keeps the first hundred drifted addresses and counts all', () => {
    const { total, addresses } = events(...Array.from({ length: 3000 }, (_, n) => drift(`a.b[${n}]`))).drifted;
    expect(total).toBe(3000);
    expect(addresses).toHaveLength(100);
    expect(addresses[99]).toBe('a.b[99]');
  });
});

describe('readUiEvent', () => {
  const unparsed = (line: string) => readUiEvent(emptyUiStream(), line).unparsedLines;

  it.each(['panic: runtime error', '{"type":"refresh_com', '[]', '"text"', 'null', '{"@level":"error"}', '{"type":1}'])(
    'counts %j as no event',
    (line) => {
      expect(unparsed(line)).toBe(1);
    },
  );

  it('passes over empty lines', () => {
    expect(readUiEvent(emptyUiStream(), ' \r')).toEqual(emptyUiStream());
  });

  it('reads an event with a byte order mark, a carriage return or colours round it', () => {
    for (const line of ['\ufeff{"type":"refresh_complete"}\r', '\u001b[0m{"type":"refresh_complete"}\u001b[1;31m']) {
      expect(readUiEvent(emptyUiStream(), line).refreshed).toBe(1);
    }
  });

  it.each(['log', 'output', 'init_output', 'refresh_start', 'apply_complete', 'ephemeral_op_start'])(
    'knows that %s says nothing about the plan',
    (type) => {
      expect(events({ type })).toEqual(emptyUiStream());
    },
  );

  it.each(['deferred_change', 'planned_action_invocation', 'policy_result', 'toString'])('notes %s', (type) => {
    expect(events({ type }).otherEvents).toBe(1);
  });
});

describe('hasSomethingToShow', () => {
  it('is false after a clean plan', () => {
    const outputs = { type: 'outputs', outputs: { id: { action: 'noop' } } };
    const progress = [{ type: 'version', terraform: '1.11.4' }, { type: 'refresh_complete' }, { type: 'log' }];
    expect(hasSomethingToShow(events(...progress, SUMMARY, outputs), 0)).toBe(false);
  });

  it('is false after a clean plan that warns of deprecations only', () => {
    const warnings = [warning('Argument is deprecated'), warning('Deprecated Resource')];
    expect(hasSomethingToShow(events(SUMMARY, ...warnings), 0)).toBe(false);
  });

  it('is true when the plan changes something, whatever the stream says', () => {
    expect(hasSomethingToShow(events(SUMMARY), 2)).toBe(true);
  });

  it('is true for a stream without a summary: it may be cut short', () => {
    expect(hasSomethingToShow(emptyUiStream(), 0)).toBe(true);
  });

  it.each([
    ['drift', drift('a.b')],
    ['a planned change', planned('read')],
    ['an action it does not know', planned('transmogrify')],
    ['an output that changes', { type: 'outputs', outputs: { id: { action: 'update' } } }],
    ['a failing check', warning('Check block assertion failed')],
    ['an error', { type: 'diagnostic', diagnostic: { severity: 'error', summary: 'Odd' } }],
    ['an event it does not know', { type: 'deferred_change' }],
    ['a summary with changes', { type: 'change_summary', changes: { import: 1 } }],
  ])('is true after exit code 0 with %s', (_, event) => {
    expect(hasSomethingToShow(events(SUMMARY, event), 0)).toBe(true);
  });

  it('is true where a line could not be read: it may have been the one that matters', () => {
    expect(hasSomethingToShow(countUnparsedLine(events(SUMMARY)), 0)).toBe(true);
  });

  it.each(['clean', 'check-fails', 'unconfigured-attribute'])('is true for %s, with drift and exit code 0', (name) => {
    expect(hasSomethingToShow(saved(name), 0)).toBe(true);
  });
});
