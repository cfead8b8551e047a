import fc from 'fast-check';
import {
  CAUSE_KINDS,
  type CheckResult,
  FINDING_CLASSES,
  type Finding,
  NOISE_REASONS,
  SEVERITIES,
  STANDINGS,
  VERDICTS,
} from '../../lib/domain/finding.ts';
import { aFinding, aResult } from './builders.ts';

const NASTY = [
  '"',
  "'",
  '|',
  '`',
  '``',
  '\\',
  '\\|',
  '<!here>',
  '<script>',
  '</code>',
  '</details>',
  '@everyone',
  '#1',
  '](https://example.com)',
  ']]>',
  '-->',
  '&amp;',
  '&lt;',
  '&nbsp;',
  '&#1;',
  '&',
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '\u001b[31m',
  '\u009b2J',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '\ud800',
  '😀',
  '漢字',
  '{0}',
  ' ',
  'a',
] as const;

/** Everything but a line break that makes a terminal do something, or turns the direction of text. */
export const TERMINAL_COMMAND = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Text as a `for_each` key, a tag or an error message may hold it. */
export function hostileText(): fc.Arbitrary<string> {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary' })), { maxLength: 8 });
  return pieces.map((parts) => parts.join(''));
}

export function hostileFinding(): fc.Arbitrary<Finding> {
  const parts = fc.record({
    address: hostileText(),
    class: fc.constantFrom(...FINDING_CLASSES),
    standing: fc.constantFrom(...STANDINGS),
    severity: fc.constantFrom(...SEVERITIES),
    actions: fc.array(fc.oneof(fc.constantFrom('no-op', 'create', 'update', 'delete'), hostileText()), {
      maxLength: 2,
    }),
    paths: fc.array(hostileText(), { maxLength: 4 }),
    cause: fc.record({
      kind: fc.constantFrom(...CAUSE_KINDS),
      inferred: fc.boolean(),
      from: fc.array(hostileText(), { maxLength: 4 }),
    }),
    value: hostileText(),
  });
  return parts.map(({ value, ...finding }) => {
    const values = Object.fromEntries(finding.paths.slice(0, 1).map((path) => [path, { before: value, after: value }]));
    return aFinding({ ...finding, values });
  });
}

export function hostileResult(): fc.Arbitrary<CheckResult> {
  const parts = fc.record({
    stack: hostileText(),
    verdict: fc.constantFrom(...VERDICTS),
    complete: fc.boolean(),
    failure: fc.option(
      fc.record({
        code: fc.constant('PlanFailed'),
        message: hostileText(),
        location: fc.record({ file: hostileText(), line: fc.nat() }),
        hint: hostileText(),
      }),
    ),
    findings: fc.array(hostileFinding(), { maxLength: 5 }),
    suppressed: fc.array(hostileSuppressed(), { maxLength: 3 }),
    noise: fc.array(
      fc.record({
        address: hostileText(),
        paths: fc.array(hostileText(), { maxLength: 2 }),
        reason: fc.constantFrom(...NOISE_REASONS),
      }),
      { maxLength: 3 },
    ),
    warnings: fc.array(fc.record({ code: fc.constant('mass-deletion' as const), message: hostileText() }), {
      maxLength: 2,
    }),
  });
  return parts.map(aResult);
}

function hostileSuppressed() {
  return fc.record({
    address: hostileText(),
    class: fc.constantFrom(...FINDING_CLASSES),
    severity: fc.constantFrom(...SEVERITIES),
    paths: fc.array(hostileText(), { maxLength: 2 }),
    rule: fc.record({ owner: hostileText(), reason: hostileText(), expires: fc.constant('2027-01-31') }),
  });
}
