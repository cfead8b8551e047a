import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { formatJunit } from '../../lib/cli/format-junit.ts';
import { escapeUnsafe } from '../../lib/domain/scrub.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';
import { hostileResult, hostileText } from '../support/hostile-results.ts';

/** Opening tags of the report, as written. Text brings none of its own: a parser has read it, and `<` is escaped. */
function tags(xml: string, name: string): readonly string[] {
  create(xml);
  return xml.match(new RegExp(`<${name}[ />][^>]*`, 'g')) ?? [];
}

function attribute(tag: string | undefined, name: string): string | undefined {
  return tag?.match(new RegExp(` ${name}="([^"]*)"`))?.[1];
}

function decode(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('the JUnit report', () => {
  it('has one passing case for a stack in sync', () => {
    expect(formatJunit([aResult()])).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="holdfast" tests="1" failures="0" errors="0" skipped="0" time="12.400">',
        '  <testsuite name="prod/queues" tests="1" failures="0" errors="0" skipped="0" time="12.400" timestamp="2026-11-30T09:00:00.000Z">',
        '    <testcase classname="prod/queues" name="no drift detected"/>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  it('fails a case for drift', () => {
    const values = { visibility_timeout_seconds: { before: '30', after: '45' } };
    const xml = formatJunit([aResult({ verdict: 'drifted', findings: [aFinding({ values })] })]);
    expect(xml).toContain(
      [
        '    <testcase classname="prod/queues" name="aws_sqs_queue.jobs">',
        '      <failure message="medium: changed outside Terraform; Terraform would put it back" type="changed-outside">visibility_timeout_seconds: 30 → 45</failure>',
        '    </testcase>',
      ].join('\n'),
    );
  });

  it('fails a case for a failing check', () => {
    const finding = aFinding({ address: 'check.health', standing: 'check', class: 'check-failing', paths: [] });
    expect(tags(formatJunit([aResult({ verdict: 'checks-failing', findings: [finding] })]), 'failure')).toHaveLength(1);
  });

  it.each(['pending', 'informational'] as const)('passes a case for what is %s, and tells about it', (standing) => {
    const xml = formatJunit([aResult({ verdict: 'pending', findings: [aFinding({ standing })] })]);
    expect(tags(xml, 'failure')).toHaveLength(0);
    expect(xml).toMatch(/<system-out>medium: [^<]*\nvisibility_timeout_seconds<\/system-out>/);
  });

  it('names the deposed object a finding is about', () => {
    const findings = [aFinding({ deposed: '1a2b3c4d', cause: { kind: 'deposed-object', inferred: false } })];
    const xml = formatJunit([aResult({ verdict: 'drifted', findings })]);
    expect(xml).toContain('name="aws_sqs_queue.jobs (deposed object 1a2b3c4d)"');
    expect(xml).toContain('\nleft over from a replacement that did not finish</failure>');
  });

  it('skips what a rule ignores, with the reason', () => {
    const rule = { owner: 'team-platform', reason: 'the scaler owns it', expires: '2027-01-31' };
    const suppressed = [{ address: 'a.b', class: 'changed-outside', severity: 'low', paths: [], rule }] as const;
    expect(formatJunit([aResult({ suppressed })])).toContain(
      '<skipped message="ignored: the scaler owns it (team-platform, until 2027-01-31)"/>',
    );
  });

  it('shows warnings as output of the suite', () => {
    const warnings = [{ code: 'mass-deletion', message: 'everything is gone' }] as const;
    expect(formatJunit([aResult({ warnings })])).toContain('<system-out>warning: everything is gone</system-out>');
  });

  it('leaves time and start out where they are not known', () => {
    const [suite] = tags(formatJunit([aResult({ durationMs: null, startedAt: null })]), 'testsuite');
    expect(suite).not.toMatch(/ time(stamp)?=/);
  });
});

describe('the JUnit report of a stack without a verdict', () => {
  it.each(['failed', 'busy'] as const)('has an error for a stack that is %s', (verdict) => {
    const failure = { code: 'PlanFailed', message: 'got 99999', location: { file: 'main.tf' }, hint: 'Allowed: 0.' };
    expect(formatJunit([aFailedResult({ verdict, failure })])).toContain(
      '<error message="got 99999" type="PlanFailed">main.tf\nhint: Allowed: 0.</error>',
    );
  });

  it('has an error even where nothing more is known', () => {
    expect(tags(formatJunit([aFailedResult({ failure: null })]), 'error')).toHaveLength(1);
  });

  it('does not pass a part of a stack', () => {
    const xml = formatJunit([aResult({ complete: false })]);
    expect(xml).not.toContain('name="no drift detected"');
    expect(tags(xml, 'skipped')).toHaveLength(1);
  });
});

describe('the JUnit report of any text', () => {
  it('is well-formed and adds up', () => {
    fc.assert(
      fc.property(fc.array(hostileResult(), { maxLength: 3 }), (results) => {
        const xml = formatJunit(results);
        expect(xml.isWellFormed()).toBe(true);
        expect(xml).not.toMatch(/(?![\n\t])\p{Cc}|[\ufffe\uffff]|\]\]>|&(?!amp;|lt;|gt;|quot;)/u);
        const [root] = tags(xml, 'testsuites');
        expect(Number(attribute(root, 'tests'))).toBe(tags(xml, 'testcase').length);
        expect(Number(attribute(root, 'failures'))).toBe(tags(xml, 'failure').length);
        expect(Number(attribute(root, 'errors'))).toBe(tags(xml, 'error').length);
        expect(Number(attribute(root, 'skipped'))).toBe(tags(xml, 'skipped').length);
      }),
    );
  });

  it('keeps every printable character of an address', () => {
    fc.assert(
      fc.property(hostileText(), (address) => {
        const xml = formatJunit([aResult({ verdict: 'drifted', findings: [aFinding({ address })] })]);
        const [testcase] = tags(xml, 'testcase');
        const shown = escapeUnsafe(address)
          .toWellFormed()
          .replace(/[\ufffe\uffff]/g, '\ufffd');
        expect(decode(attribute(testcase, 'name') ?? '')).toBe(shown);
      }),
    );
  });
});
