import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMarkdown } from '../../lib/cli/format-markdown.ts';
import { code, prose } from '../../lib/cli/markdown-text.ts';
import type { Finding } from '../../lib/domain/finding.ts';
import { groupFindings } from '../../lib/domain/group-findings.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';
import { hostileResult, hostileText } from '../support/hostile-results.ts';

function drifted(findings: readonly Finding[]) {
  return aResult({ verdict: 'drifted', findings });
}

function findingRows(markdown: string): readonly string[] {
  return markdown.split('\n').filter((line) => /^\| (critical|high|medium|low|info) \|/.test(line));
}

describe('the Markdown report', () => {
  it('is one table where all stacks are in sync', () => {
    expect(formatMarkdown([aResult(), aResult({ stack: 'dev/web' })])).toBe(
      [
        '### Drift report: 2 in sync',
        '',
        '| | Stack | Verdict | Findings | Plan | Time |',
        '| --- | --- | --- | --- | --- | --- |',
        '| ✅ | `prod/queues` | in sync | no drift detected |  | 12.4s |',
        '| ✅ | `dev/web` | in sync | no drift detected |  | 12.4s |',
        '',
      ].join('\n'),
    );
  });

  it('puts stacks that need attention first', () => {
    const markdown = formatMarkdown([aResult({ stack: 'a' }), aFailedResult({ stack: 'b' })]);
    expect(markdown.indexOf('`b`')).toBeLessThan(markdown.indexOf('`a`'));
  });

  it('has a row per finding', () => {
    const values = { visibility_timeout_seconds: { before: '30', after: '45' } };
    expect(findingRows(formatMarkdown([drifted([aFinding({ values })])]))).toEqual([
      '| medium | `aws_sqs_queue.jobs` | changed outside Terraform; Terraform would put it back | `visibility_timeout_seconds`: `30` → `45` |',
    ]);
  });

  it('has one row for the same change of 200 resources', () => {
    const findings = Array.from({ length: 200 }, (_, at) => aFinding({ address: `aws_instance.node[${at}]` }));
    const rows = findingRows(formatMarkdown([drifted(findings)]));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('`aws_instance.node[2]`<br>and 197 more |');
  });

  it('folds what is pending or for information', () => {
    const findings = [aFinding({ standing: 'pending' }), aFinding({ standing: 'informational' })];
    const markdown = formatMarkdown([aResult({ verdict: 'pending', findings })]);
    expect(markdown).toMatch(
      /<details><summary>2 pending or for information<\/summary>\n\n\|[\s\S]*\|\n\n<\/details>\n$/,
    );
  });
});

describe('the Markdown report beyond findings', () => {
  it('shows why there is no verdict, where, and what to do', () => {
    const failure = {
      code: 'PlanFailed',
      message: 'got 99999',
      location: { file: 'main.tf', line: 23 },
      hint: 'Allowed are 0 to 900.',
    };
    expect(formatMarkdown([aFailedResult({ failure })])).toContain(
      '\n#### `prod/dns`: failed\n\ngot 99999 (`main.tf:23`)\n\nAllowed are 0 to 900.\n',
    );
  });

  it('tells what was ignored, what is noise, and warnings', () => {
    const rule = { owner: 'team-platform', reason: 'the scaler owns it', expires: '2027-01-31' };
    const markdown = formatMarkdown([
      aResult({
        suppressed: [{ address: 'a.b', class: 'changed-outside', severity: 'low', paths: ['size'], rule }],
        noise: [{ address: 'a.c', paths: ['tags'], reason: 'empty-flip' }],
        warnings: [{ code: 'mass-deletion', message: 'everything is gone' }],
      }),
    ]);
    expect(markdown.split('\n').slice(-4)).toEqual([
      '- warning: everything is gone',
      '- ignored: `a.b` `size`: the scaler owns it (team-platform, until 2027-01-31)',
      '- noise: 1 × empty value in another form',
      '',
    ]);
  });

  it('never shows a part of a stack as in sync', () => {
    const markdown = formatMarkdown([aResult({ complete: false })]);
    expect(markdown).toContain('| ❔ | `prod/queues` | incomplete |');
    expect(markdown).not.toMatch(/✅|in sync/);
  });

  it('says so where there are no stacks', () => {
    expect(formatMarkdown([])).toBe('### Drift report: no stacks\n');
  });

  it('has one row per finding whatever its text', () => {
    fc.assert(
      fc.property(hostileResult(), (result) => {
        const rows = findingRows(formatMarkdown([result]));
        expect(rows).toHaveLength(groupFindings(result.findings).length);
        // Four cells, so five bars: no text brings one of its own.
        for (const row of rows) expect(row.match(/\|/g)).toHaveLength(5);
      }),
    );
  });
});

describe('the size of the Markdown report', () => {
  const findings = Array.from({ length: 300 }, (_, at) =>
    aFinding({ address: `aws_instance.node["${'n'.repeat(150)}${at}"]`, paths: [`tags["${at}"]`] }),
  );

  it('counts the findings past the cap of one table', () => {
    expect(formatMarkdown([drifted(findings)])).toContain('\n\n+250 more findings\n');
  });

  it('leaves room for other stacks behind a huge one', () => {
    const markdown = formatMarkdown([drifted(findings), aFailedResult()]);
    expect(markdown).toContain('got 99999');
  });

  it.each([500, 5_000, 60_000])('stays under %i characters, and says what is left off', (limit) => {
    const results = Array.from({ length: 40 }, (_, at) => ({ ...drifted(findings), stack: `prod/${at}` }));
    const markdown = formatMarkdown(results, { limit });
    expect(markdown.length).toBeLessThanOrEqual(limit);
    expect(markdown).toMatch(
      /\+\d+ more (stacks|findings)\n[\s\S]*The rest is left off here: it would be too long\.\n$/,
    );
  });

  it('closes a folded part it had to cut', () => {
    const pending = findings.map((finding) => ({ ...finding, standing: 'pending' as const }));
    const markdown = formatMarkdown([aResult({ verdict: 'pending', findings: pending })], { limit: 2_000 });
    expect(markdown).toMatch(/\+\d+ more findings\n\n<\/details>\n/);
  });

  it('stays under the limit whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(hostileResult(), { maxLength: 6 }),
        fc.integer({ min: 200, max: 3_000 }),
        (results, limit) => {
          expect(formatMarkdown(results, { limit }).length).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});

describe('code', () => {
  it('leaves a plain address readable', () => {
    expect(code('aws_sqs_queue.q["eu/a.b"]')).toBe('`aws_sqs_queue.q["eu/a.b"]`');
  });

  it('spells a text with a pipe or a backtick by entities', () => {
    expect(code('q["a|b`"]')).toBe('<code>q&#91;&#34;a&#124;b&#96;&#34;&#93;</code>');
  });

  it('cuts a text that would fill the page', () => {
    expect(code('x'.repeat(1000))).toBe(`\`${'x'.repeat(199)}…\``);
  });

  it('is one code span and nothing else', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(code(text)).toMatch(/^(|`[^`|\n]+`|<code>(?:[^`|<>@:.*_~[\]\n&]|&#\d+;)+<\/code>)$/);
      }),
    );
  });
});

describe('prose', () => {
  it('pings nobody', () => {
    expect(prose('ask @platform about #12')).toBe('ask @&#8203;platform about #&#8203;12');
  });

  it('makes markup, HTML and links inert', () => {
    expect(prose('*a* <b> [c](d) | `e` www.f.g https://h.i')).toBe(
      '\\*a\\* &#60;b&#62; \\[c\\](d) &#124; \\`e\\` www&#46;f.g https&#58;//h.i',
    );
  });

  it('leaves no active character', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(prose(text)).not.toMatch(/[<>|\n]|(?<!\\)[`*_[\]~$]|[@#](?!&#8203;|\d+;)|:\/\//);
      }),
    );
  });
});
