import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitOutcome, fitState, specText } from '../../lib/adapters/fit-item.ts';
import { MOST_QUEUED_EVENTS } from '../../lib/domain/claim.ts';
import { appendEvent } from '../../lib/domain/event-log.ts';
import type { Failure } from '../../lib/domain/finding.ts';
import { MOST_TOP_FINDINGS, type ResultSummary, type TopFinding } from '../../lib/domain/run.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { aDriftedSummary, aSpec, aStack, aSummary, lost, result, START } from '../support/stack-builder.ts';

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const aFailure = (text: string): Failure => ({
  code: 'InitFailed',
  message: text,
  hint: text,
  location: { file: text, line: 3 },
});

/** As many and as long findings as a summary has at most. */
const findings = (character: string): TopFinding[] =>
  Array.from({ length: MOST_TOP_FINDINGS }, (_, index) => ({
    address: `${index}${character.repeat(150)}`,
    class: 'changed-outside',
    severity: 'high',
    paths: Array.from({ length: 5 }, () => character.repeat(150)),
  }));

function withEvents(count: number, summary: ResultSummary, failure: Failure | null = null): StackState {
  const { spec, state } = aStack({}, { lastSummary: summary });
  let told = state;
  for (let index = 0; index < count; index += 1) {
    told = appendEvent(spec, told, 'drift.changed', { at: START, runId: 'run', episode: null, summary, failure });
  }
  return told;
}

describe('fitState', () => {
  it('leaves a state of ordinary size as it is', () => {
    const failure = aFailure('Failed to query available provider packages');
    const state = withEvents(MOST_QUEUED_EVENTS, aDriftedSummary('a'.repeat(64), { failure }), failure);
    expect(fitState(state)).toEqual(state);
  });

  it('takes the findings of queued events away, oldest first, and only as many as it must', () => {
    const state = withEvents(MOST_QUEUED_EVENTS, aDriftedSummary('a'.repeat(64), { topFindings: findings('🙂') }));
    expect(bytes(state)).toBeGreaterThan(256 * 1024);
    const { outbox, lastSummary } = fitState(state);
    const kept = outbox.findIndex(({ topFindings }) => topFindings.length > 0);
    expect(kept).toBeGreaterThan(0);
    const expected = state.outbox.map((event, index) => (index < kept ? { ...event, topFindings: [] } : event));
    expect(outbox).toEqual(expected);
    expect(lastSummary).toEqual(state.lastSummary);
    const oneLess = expected.with(kept - 1, state.outbox[kept - 1] ?? expect.fail());
    expect(bytes({ ...state, outbox: oneLess })).toBeGreaterThan(256 * 1024);
  });

  it('takes the findings of the summary away after those of all events', () => {
    const topFindings = findings('🙂'.repeat(20));
    const state = withEvents(2, aDriftedSummary('a'.repeat(64), { topFindings }));
    const fitted = fitState(state);
    expect(fitted.outbox.map((event) => event.topFindings)).toEqual([[], []]);
    expect(fitted.lastSummary).toEqual({ ...state.lastSummary, topFindings: [] });
  });

  it('gives the same for what it has fitted', () => {
    const failure = aFailure('\u0001🙂'.repeat(5000));
    const state = withEvents(
      26,
      aDriftedSummary('a'.repeat(64), { topFindings: findings('\u0001'), failure }),
      failure,
    );
    expect(fitState(fitState(state))).toEqual(fitState(state));
  });

  it('makes every state fit that the rules of the domain allow, whatever its texts are made of', () => {
    const text = fc.constantFrom('\u0001', '"', '水', '🙂', '\ud800', 'a');
    fc.assert(
      fc.property(text, text, fc.nat(26), fc.nat(40_000), (inFindings, inFailure, events, length) => {
        const failure = aFailure(inFailure.repeat(length));
        const summary = aDriftedSummary('a'.repeat(64), { topFindings: findings(inFindings), failure });
        expect(bytes(fitState(withEvents(events, summary, failure)))).toBeLessThanOrEqual(256 * 1024);
      }),
      { numRuns: 40 },
    );
  });

  it('cuts the texts of a failure between characters', () => {
    const failure = aFailure('🙂'.repeat(2000));
    const { lastSummary } = fitState(withEvents(0, aSummary({ failure })));
    const { message = '', hint = '', location } = lastSummary?.failure ?? {};
    expect(bytes(message)).toBeLessThanOrEqual(2048);
    expect(bytes(message)).toBeGreaterThan(2040);
    expect(bytes(hint)).toBeLessThanOrEqual(512);
    expect(message).toMatch(/^(🙂)+…$/u);
    expect(location).toMatchObject({ file: expect.stringMatching(/^(🙂)+…$/u), line: 3 });
  });

  it('cuts the reason of a suspension', () => {
    const { state } = aStack({}, { suspended: 'x'.repeat(10_000) });
    expect(fitState(state).suspended).toMatch(/^x{500,511}…$/);
  });

  it('fails where so many events are queued that nothing helps', () => {
    const state = withEvents(1000, aSummary());
    expect(() => fitState(state)).toThrow(
      expect.objectContaining({ code: 'ItemTooLarge', hint: expect.stringContaining('1000 events to publish') }),
    );
  });
});

describe('fitOutcome', () => {
  it('leaves an outcome of ordinary size as it is', () => {
    const outcome = result(aDriftedSummary('a'.repeat(64), { topFindings: findings('a') }));
    expect(fitOutcome(outcome)).toEqual(outcome);
    expect(fitOutcome(lost())).toEqual(lost());
  });

  it('keeps the first findings that fit', () => {
    const topFindings = findings('\u0001'.repeat(2));
    const outcome = fitOutcome(result(aSummary({ topFindings })));
    const kept = outcome.kind === 'result' ? outcome.summary.topFindings : [];
    expect(kept).toEqual(topFindings.slice(0, kept.length));
    expect(kept.length).toBeLessThan(topFindings.length);
    expect(bytes(outcome)).toBeLessThanOrEqual(66 * 1024);
    expect(bytes(topFindings.slice(0, kept.length + 1))).toBeGreaterThan(64 * 1024);
  });

  it('cuts the failure of a lost run', () => {
    const outcome = fitOutcome(lost('x'.repeat(10_000)));
    expect(outcome).toMatchObject({ failure: { message: expect.stringMatching(/^x+…$/) } });
    expect(bytes(outcome)).toBeLessThan(2200);
  });
});

describe('specText', () => {
  it('fails on a spec over 96 KiB', () => {
    const rule = { stack: '*', address: 'aws_x.y', path: '*', owner: 'o', reason: 'r'.repeat(1000), expires: 'never' };
    const rules = (count: number) => ({ ...aSpec().rules, ignore: Array.from({ length: count }, () => rule) });
    expect(specText(aSpec({ rules: rules(80) })).length).toBeGreaterThan(80_000);
    expect(() => specText(aSpec({ rules: rules(100) }))).toThrow(
      expect.objectContaining({
        code: 'ItemTooLarge',
        message: expect.stringMatching(/^spec of prod\/network takes \d+ bytes/),
      }),
    );
  });

  it('fails on labels that would make every event large', () => {
    const labels = Array.from({ length: 100 }, (_, index) => `${index}:${'水'.repeat(20)}`);
    expect(() => specText(aSpec({ labels }))).toThrow(
      expect.objectContaining({
        code: 'ItemTooLarge',
        message: expect.stringMatching(/^labels, routes and owner of prod/),
      }),
    );
  });
});
