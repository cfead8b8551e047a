import { describe, expect, it } from 'vitest';
import { createRunLog } from '../../lib/domain/run-log.ts';
import { createScrub } from '../../lib/domain/scrub.ts';

const AT = new Date('2026-11-30T09:00:00.000Z');
const asItIs = createScrub([]);

describe('the log of a run', () => {
  it('has a line with its time for each message', () => {
    const log = createRunLog();
    log.add(AT, 'init');
    log.add(new Date('2026-11-30T09:00:01.500Z'), 'plan');
    expect(log.text(asItIs)).toBe('2026-11-30T09:00:00.000Z init\n2026-11-30T09:00:01.500Z plan\n');
  });

  it('is empty where nothing happened', () => {
    expect(createRunLog().text(asItIs)).toBe('');
  });

  it('loses secrets that become known later', () => {
    const log = createRunLog();
    log.add(AT, 'error: invalid password "hunter2"');
    expect(log.text(createScrub(['hunter2']))).toBe('2026-11-30T09:00:00.000Z error: invalid password "(sensitive)"\n');
  });

  it('obeys no control characters', () => {
    const log = createRunLog();
    log.add(AT, 'a\u001b[2J\nb\u202e');
    expect(log.text(asItIs)).toBe('2026-11-30T09:00:00.000Z a\\u001b[2J\\u000ab\\u202e\n');
  });

  it('cuts a long line', () => {
    const log = createRunLog();
    log.add(AT, 'x'.repeat(100_000));
    expect(log.text(asItIs).length).toBe(16 * 1024 + 1);
  });

  it('keeps the beginning and the end where it grows too long, and says how much is missing', () => {
    const log = createRunLog(60);
    for (let number = 1; number <= 200; number += 1) log.add(AT, `line ${number}`);
    const lines = log.text(asItIs).trimEnd().split('\n');
    expect(lines).toHaveLength(102);
    expect(lines.slice(0, 3).map((line) => line.replace(`${AT.toISOString()} `, ''))).toEqual([
      'line 1',
      '… 99 lines left out …',
      'line 101',
    ]);
    expect(lines.at(-1)).toContain('line 200');
  });

  it('counts bytes, not characters', () => {
    const log = createRunLog(80);
    log.add(AT, '水'.repeat(20));
    log.add(AT, 'b');
    for (let number = 1; number <= 100; number += 1) log.add(AT, `line ${number}`);
    expect(log.text(asItIs)).toContain('… 2 lines left out …');
  });
});
