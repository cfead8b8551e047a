import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Judged } from '../../lib/domain/apply-rules.ts';
import { diff, type PathChange } from '../../lib/domain/diff.ts';
import type { Noise, Suppressed } from '../../lib/domain/finding.ts';
import { type Json, PreciseNumber, showJson } from '../../lib/domain/json.ts';
import { formatPath, type Path } from '../../lib/domain/path.ts';
import type { PlanDocument, ResourceChange } from '../../lib/domain/plan-document.ts';
import { createRedaction } from '../../lib/domain/redact.ts';
import { createScrub, SENSITIVE } from '../../lib/domain/scrub.ts';
import { collectSecrets } from '../../lib/domain/secrets.ts';
import { ENCODINGS } from '../support/encodings.ts';
import { hclKey } from '../support/hcl-key.ts';
import {
  anyEncode,
  DOCUMENT_MARKINGS,
  planOf,
  secretNumber,
  secretText,
  shortText,
  textOf,
  withMarks,
} from '../support/leaky-plans.ts';

const EVERYTHING = [{ address: '*', path: '*' }];

function aDraft(overrides: Partial<Judged> = {}): Judged {
  return {
    address: 'aws_sqs_queue.jobs',
    type: 'aws_sqs_queue',
    class: 'changed-outside',
    standing: 'drift',
    severity: 'medium',
    actions: ['update'],
    changes: [],
    cause: { kind: 'outside-change', inferred: false },
    ...overrides,
  };
}

function aChange(path: Path, overrides: Partial<PathChange> = {}): PathChange {
  return { path, before: 'old', after: 'new', unknown: false, sensitive: false, ...overrides };
}

const redactionOf = (secrets: readonly string[], allowValues = EVERYTHING) =>
  createRedaction(createScrub(secrets), allowValues);

describe('createRedaction', () => {
  it('keeps everything of a finding that is no value', () => {
    const draft = aDraft({ deposed: '1a2b3c4d', changes: [aChange(['tags', 'b']), aChange(['tags', 'a'])] });
    expect(redactionOf([], []).finding(draft)).toEqual({
      address: 'aws_sqs_queue.jobs',
      deposed: '1a2b3c4d',
      class: 'changed-outside',
      standing: 'drift',
      severity: 'medium',
      actions: ['update'],
      paths: ['tags.a', 'tags.b'],
      cause: { kind: 'outside-change', inferred: false },
    });
  });

  it('shows no value unless a rule allows its place', () => {
    const changes = [aChange(['size'], { before: 1, after: 2 }), aChange(['name'])];
    const values = (allowValues: typeof EVERYTHING) => redactionOf([], allowValues).finding(aDraft({ changes })).values;
    expect(values([])).toBeUndefined();
    expect(values([{ address: 'aws_sns_*', path: '*' }])).toBeUndefined();
    expect(values([{ address: '*', path: 'size_*' }])).toBeUndefined();
    expect(values([{ address: 'aws_sqs_*', path: 'size' }])).toEqual({ size: { before: '1', after: '2' } });
    expect(values(EVERYTHING)).toEqual({
      name: { before: '"old"', after: '"new"' },
      size: { before: '1', after: '2' },
    });
  });

  it('shows allowed values as JSON with every digit', () => {
    const after = { ids: [new PreciseNumber('12345678901234567890'), null, true], key: 'value' };
    const { values } = redactionOf([]).finding(aDraft({ changes: [aChange(['x'], { before: null, after })] }));
    expect(values).toEqual({ x: { before: 'null', after: '{"ids":[12345678901234567890,null,true],"key":"value"}' } });
  });

  it('shows nothing of a sensitive place that a rule allows', () => {
    const changes = [aChange(['pin'], { before: true, after: { a: false }, sensitive: true, unknown: true })];
    expect(redactionOf([]).finding(aDraft({ changes })).values).toEqual({
      pin: { before: SENSITIVE, after: SENSITIVE },
    });
  });

  it('says what is known only after apply', () => {
    const changes = [aChange(['arn'], { after: null, unknown: true })];
    expect(redactionOf([]).finding(aDraft({ changes })).values).toEqual({
      arn: { before: '"old"', after: '(known after apply)' },
    });
  });

  it('writes out what a terminal or a browser could obey', () => {
    const redaction = redactionOf([]);
    const unsafe = 'a\u202eb\u001b';
    const draft = aDraft({ address: `aws_x.y["${unsafe}"]`, changes: [aChange(['tags', unsafe], { after: unsafe })] });
    const texts = [redaction.text(unsafe), JSON.stringify(redaction.finding(draft))];
    for (const text of texts) expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});

const SECRET = 'hunt"er$' + '{2}';

describe('createRedaction of copies', () => {
  const redaction = redactionOf([SECRET, 'abc']);

  it.each<[string, Json, string]>([
    ['alone', SECRET, SENSITIVE],
    ['in a longer text', `mysql://root:${SECRET}@db`, `"mysql://root:${SENSITIVE}@db"`],
    ['in a list', [SECRET, 'x'], `["${SENSITIVE}","x"]`],
    ['as a key', { [SECRET]: 1 }, `{"${SENSITIVE}":1}`],
    ['in a document in a string', showJson({ Sid: SECRET }), `"{\\"Sid\\":\\"${SENSITIVE}\\"}"`],
    ['as a short secret in a list', ['abc', 'abcd'], `["${SENSITIVE}","abcd"]`],
    ['as a short key', { abc: { abc: 'abc' } }, `{"${SENSITIVE}":{"${SENSITIVE}":"${SENSITIVE}"}}`],
  ])('finds a secret %s', (_, after, expected) => {
    const { values } = redaction.finding(aDraft({ changes: [aChange(['x'], { after })] }));
    expect(values?.x?.after).toBe(expected);
  });

  it('finds a document that is itself the secret, also where it is no string', () => {
    const { values } = redactionOf(['{"user":"root","pin":1}']).finding(
      aDraft({ changes: [aChange(['x'], { after: [{ user: 'root', pin: 1 }] })] }),
    );
    expect(values?.x?.after).toBe(`[${SENSITIVE}]`);
  });

  it.each<[string, Json, Json, string]>([
    ['a number', 1234, { port: 1234, text: 'pin 1234' }, `{"port":"${SENSITIVE}","text":"pin ${SENSITIVE}"}`],
    ['a short number', 7, [7, 17], `["${SENSITIVE}",17]`],
    [
      'a number beyond a double',
      new PreciseNumber('12345678901234567890'),
      new PreciseNumber('12345678901234567890'),
      SENSITIVE,
    ],
  ])('finds %s that is marked as sensitive', (_, secret, after, expected) => {
    const secrets = collectSecrets({
      resource_changes: [{ change: { after: { s: secret }, after_sensitive: { s: true } } }],
    });
    const { values } = redactionOf([...secrets]).finding(aDraft({ changes: [aChange(['x'], { after })] }));
    expect(values?.x?.after).toBe(expected);
  });

  it('finds secrets in instance keys, and leaves names alone', () => {
    const address = `module.hunter.aws_x.abc[${hclKey(SECRET)}]`;
    const draft = aDraft({
      address,
      cause: {
        kind: 'moved-in-config',
        inferred: false,
        from: [`aws_x.y[${hclKey(`a ${SECRET}`)}]`, 'aws_x.y["abc"]'],
      },
    });
    expect(redaction.finding(draft)).toMatchObject({
      address: `module.hunter.aws_x.abc["${SENSITIVE}"]`,
      cause: { from: [`aws_x.y["a ${SENSITIVE}"]`, `aws_x.y["${SENSITIVE}"]`] },
    });
  });

  it('finds secrets in map keys, in all that has paths', () => {
    const paths: Path[] = [
      ['tags', SECRET],
      ['tags', 'abc'],
      ['tags', `k-${SECRET}`, 0],
    ];
    const expected = [`tags["${SENSITIVE}"]`, `tags["k-${SENSITIVE}"][0]`];
    expect(redaction.finding(aDraft({ changes: paths.map((path) => aChange(path)) })).paths).toEqual(expected);
    const entry = { address: 'aws_x.y["abc"]', paths: paths.map(formatPath) };
    const rule = { owner: 'team', reason: 'known', expires: 'never' };
    const suppressed: Suppressed = { ...entry, class: 'changed-outside', severity: 'low', rule };
    const noise: Noise = { ...entry, reason: 'empty-flip' };
    const address = `aws_x.y["${SENSITIVE}"]`;
    expect(redaction.suppressed(suppressed)).toEqual({ ...suppressed, address, paths: expected });
    expect(redaction.noise(noise)).toEqual({ ...noise, address, paths: expected });
  });

  it('keeps the empty path of a whole resource', () => {
    expect(redaction.noise({ address: 'aws_x.y', paths: ['', 'name'], reason: 'same-json' }).paths).toEqual([
      '',
      'name',
    ]);
  });

  it('finds secrets in messages', () => {
    expect(redaction.text(`value "${SECRET}" is invalid`)).toBe(`value "${SENSITIVE}" is invalid`);
  });

  // The price of short secrets: in longer texts nothing tells them from innocent letters.
  it('shows a secret of fewer than four characters inside a longer text', () => {
    const { values } = redaction.finding(aDraft({ changes: [aChange(['x'], { after: 'xabcx' })] }));
    expect(values?.x?.after).toBe('"xabcx"');
  });
});

/** Everything that can be said of the plan's one resource. */
function resultsOf({ raw, changes: [entry] }: PlanDocument) {
  const { address, previousAddress = '', ...values } = entry as ResourceChange;
  const redaction = createRedaction(createScrub(collectSecrets(raw)), EVERYTHING);
  const { changes } = diff({ kind: 'drift', ...values });
  const paths = changes.map(({ path }) => formatPath(path));
  return {
    finding: redaction.finding(
      aDraft({ address, changes, cause: { kind: 'moved-in-config', inferred: false, from: [previousAddress] } }),
    ),
    noise: redaction.noise({ address, paths, reason: 'empty-flip' }),
    message: redaction.text(`not expected: ${changes.map(({ before }) => textOf(before)).join(', ')}`),
  };
}

/** Every text and every key in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}

describe('createRedaction of whole documents', () => {
  it('lets no secret out, whatever is marked, wherever it was copied, whoever wrote the copy', () => {
    fc.assert(
      fc.property(withMarks(fc.oneof(secretText, secretNumber)), ({ value, marks, encode }) => {
        const results = resultsOf(planOf(value, encode, marks));
        const forms = new Set(ENCODINGS.map(([, anyOf]) => anyOf(textOf(value))));
        const pieces = textsIn(results).flatMap((shown) => shown.split(SENSITIVE));
        expect(pieces.flatMap((piece) => [...forms].filter((form) => piece.includes(form)))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('lets no short secret out where it is a whole value, key or name of an instance', () => {
    fc.assert(
      fc.property(withMarks(shortText), ({ value, marks, encode }) => {
        const { finding, noise } = resultsOf(planOf(value, encode, marks));
        const shown = Object.values(finding.values ?? {}).map(({ before }) => before);
        const readable = shown.filter((text) => /^["[{]/.test(text)).map((text) => JSON.parse(text) as unknown);
        expect(readable.flatMap(textsIn)).not.toContain(value);
        expect([finding.address, ...(finding.cause.from ?? [])].join()).not.toContain(`[${hclKey(textOf(value))}]`);
        for (const { paths } of [finding, noise]) expect(paths).not.toContain(formatPath(['map', textOf(value)]));
      }),
      { numRuns: 1000 },
    );
  });

  it('shows no value at all of documents without masks', () => {
    const anyValue = fc.oneof(secretText, shortText, secretNumber);
    fc.assert(
      fc.property(anyValue, anyEncode, fc.constantFrom(...DOCUMENT_MARKINGS), (value, encode, mark) => {
        const { finding } = resultsOf(planOf(value, encode, { change: {}, document: mark(value) }));
        const shown = Object.values(finding.values ?? {});
        expect(shown.length).toBeGreaterThan(5);
        for (const values of shown) expect(values).toEqual({ before: SENSITIVE, after: SENSITIVE });
      }),
    );
  });
});
