import { describe, expect, it } from 'vitest';
import { formatEvent } from '../../lib/cli/format-event.ts';
import { createPaint } from '../../lib/cli/palette.ts';
import type { DriftEvent } from '../../lib/domain/drift-event.ts';
import { aResult } from '../support/builders.ts';
import { anEvent } from '../support/event-builder.ts';

const plain = createPaint({ color: false });
const format = (over: Partial<DriftEvent>) => formatEvent(anEvent(over), plain);

describe('formatEvent', () => {
  it('tells when, what, which stack, how bad, and where', () => {
    const finding = { class: 'changed-outside', severity: 'high', paths: [] } as const;
    const topFindings = ['a', 'b', 'c'].map((address) => ({ ...finding, address }));

    expect(format({ severity: 'high', counts: aResult({ counts: { drift: 3 } }).counts, topFindings })).toBe(
      '09:02:00  drift.detected     prod/network  high: 3 drifted (a, b, +1 more)',
    );
  });

  it('tells how long a drift lasted', () => {
    expect(format({ type: 'drift.resolved', at: '2026-03-02T09:32:00.000Z' })).toBe(
      '09:32:00  drift.resolved     prod/network  after 30m',
    );
    expect(format({ type: 'drift.resolved', episode: null })).toBe('09:02:00  drift.resolved     prod/network');
  });

  it('tells why checks fail', () => {
    const failure = { code: 'InitFailed', message: 'no such module' };

    expect(format({ type: 'check.failing', failure })).toBe(
      '09:02:00  check.failing      prod/network  InitFailed: no such module',
    );
    expect(format({ type: 'check.failing', failure: null })).toBe('09:02:00  check.failing      prod/network');
  });

  it.each(['check.overdue', 'check.recovered'] as const)('adds nothing to %s', (type) => {
    expect(format({ type })).toBe(`09:02:00  ${type.padEnd(17)}  prod/network`);
  });

  it('says that a stack flaps', () => {
    const episode = {
      id: 'e',
      startedAt: '2026-03-02T09:02:00.000Z',
      consecutive: 4,
      fingerprint: 'f',
      flapping: true,
    };

    expect(format({ type: 'drift.changed', counts: null, severity: null, episode })).toMatch(
      /prod\/network {2}, flapping$/,
    );
  });

  it('tells what is wrong with a catalogue', () => {
    const failure = {
      code: 'CatalogueInvalid',
      message: 'timeout: expected a duration',
      location: { file: 'c.yaml', line: 3 },
    };
    const event = {
      schemaVersion: 1,
      type: 'catalogue.invalid',
      at: '2026-03-02T09:02:00.000Z',
      commit: 'c0ffee',
      failure,
    } as const;

    expect(formatEvent(event, plain)).toBe(
      '09:02:00  catalogue.invalid  CatalogueInvalid: timeout: expected a duration (c.yaml:3)',
    );
  });

  it('paints by severity, and good news green', () => {
    const inks: string[] = [];
    const paint = (ink: string, text: string) => {
      inks.push(ink);
      return text;
    };
    for (const over of [
      { severity: 'high' },
      { severity: null },
      { type: 'drift.resolved' },
      { type: 'check.failing' },
    ] as const) {
      formatEvent(anEvent(over), paint);
    }

    expect(inks.filter((ink) => ink !== 'dim' && ink !== 'bold')).toEqual(['red', 'yellow', 'green', 'red']);
  });

  it('lets no event command the terminal', () => {
    const topFindings = [{ address: 'a["\u001b[2J"]', class: 'x', severity: 'low', paths: [] }] as const;

    expect(format({ topFindings })).not.toContain('\u001b');
  });
});
