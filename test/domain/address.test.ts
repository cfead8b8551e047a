import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configAddress, mapInstanceKeys, modulePath } from '../../lib/domain/address.ts';
import { hclKey } from '../support/hcl-key.ts';

const name = fc.constantFrom('web', 'this', 'module', 'data', 'a_b-c');
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc
    .array(fc.constantFrom('${', '%{', '$', '%', '"', '\\', ']', '["', '.', '\n', '\u0007', '\u{e0001}'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);
const anyKey = fc.oneof(anyText.map(hclKey), fc.nat().map(String), fc.constant(undefined));

interface Step {
  readonly text: string;
  readonly key: string | undefined;
}
const moduleStep = fc.record({ text: name.map((called) => `module.${called}`), key: anyKey });
const resourceStep = fc.record({ text: name.map((called) => `aws_subnet.${called}`), key: anyKey });

/** The steps of an absolute address: modules, then the resource. */
const anySteps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(moduleStep, { maxLength: 3 }), resourceStep)
  .map(([modules, resource]) => [...modules, resource]);

const addressOf = (steps: readonly Step[]) =>
  steps.map(({ text, key }) => (key === undefined ? text : `${text}[${key}]`)).join('.');

describe('configAddress', () => {
  it.each([
    ['aws_sqs_queue.q', 'aws_sqs_queue.q'],
    ['aws_sqs_queue.q[0]', 'aws_sqs_queue.q'],
    ['module.net["eu/a"].aws_subnet.private[12]', 'module.net.aws_subnet.private'],
    ['module.a["].x["].data.aws_ami.b["\\"]"]', 'module.a.data.aws_ami.b'],
    ['aws_sqs_queue.q[*]', 'aws_sqs_queue.q'],
  ])('of %s is %s', (address, expected) => {
    expect(configAddress(address)).toBe(expected);
  });

  it('leaves the names alone, whatever the keys hold', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        expect(configAddress(addressOf(steps))).toBe(steps.map(({ text }) => text).join('.'));
      }),
    );
  });
});

describe('mapInstanceKeys', () => {
  it('hands on the text of each key as its author wrote it', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 3 }), (texts) => {
        const seen: string[] = [];
        mapInstanceKeys(texts.map((text) => `module.m[${hclKey(text)}].`).join(''), (text) => {
          seen.push(text);
          return text;
        });
        expect(seen).toEqual(texts);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes nothing where the rewriting changes nothing', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const address = addressOf(steps);
        expect(mapInstanceKeys(address, (text) => text)).toBe(address);
      }),
    );
  });

  it('quotes a new text as Terraform does, except for what only has to be visible', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rewritten = mapInstanceKeys('a.b["old"]', () => text);
        const seen: string[] = [];
        mapInstanceKeys(rewritten, (key) => {
          seen.push(key);
          return key;
        });
        expect(seen).toEqual([text]);
      }),
    );
  });

  it.each([
    // HCL
    ['"$${user}"', `\${user}`],
    ['"100%%{x}"', '100%{x}'],
    ['"$$$\u007bx}"', `$\${x}`],
    ['"$5, 5% and $$"', '$5, 5% and $$'],
    ['"a\\"b\\\\c\\n\\r\\t"', 'a"b\\c\n\r\t'],
    ['"\\u00ad\\U000e0001"', '\u00ad\u{e0001}'],
    // Go
    ['"\\x1b\\a\\b\\f\\v"', '\u001b\u0007\b\f\v'],
    ['"\\u00e9"', 'é'],
    ['"$\u007bx}"', `\${x}`],
    // JSON, in addresses put together from old documents
    ['"\\ud83d\\ude00\\/"', '😀/'],
    // Nobody writes these: no reading of them may fail
    ['"\\Uffffffff\\q\\u12"', 'Uffffffffqu12'],
  ])('reads %s', (quoted, text) => {
    const seen: string[] = [];
    mapInstanceKeys(`aws_x.y[${quoted}]`, (key) => {
      seen.push(key);
      return 'new';
    });
    expect(seen).toEqual([text]);
  });

  it('writes the new text between quotes', () => {
    expect(mapInstanceKeys('module.m["a"].aws_x.y["b"]', (text) => `new "${text}" of \${user}`)).toBe(
      'module.m["new \\"a\\" of $${user}"].aws_x.y["new \\"b\\" of $${user}"]',
    );
  });

  it('leaves names and numbers alone', () => {
    expect(mapInstanceKeys('module.m[0].aws_x.y[*]', () => 'new')).toBe('module.m[0].aws_x.y[*]');
  });
});

describe('modulePath', () => {
  it.each([
    ['aws_sqs_queue.q', ''],
    ['data.aws_ami.base', ''],
    ['module.net.aws_subnet.private', 'module.net'],
    ['module.a.module.b.data.aws_ami.base', 'module.a.module.b'],
    ['module.module.aws_x.y', 'module.module'],
    ['module.module.module.module.aws_x.module', 'module.module.module.module'],
    ['', ''],
  ])('of %j is %j', (address, expected) => {
    expect(modulePath(address)).toBe(expected);
  });

  it('is all but the resource', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const texts = steps.map(({ text }) => text);
        expect(modulePath(texts.join('.'))).toBe(texts.slice(0, -1).join('.'));
      }),
    );
  });
});
