// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the configuration look like that
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HclBody, parseHcl } from '../../lib/domain/hcl-body.ts';

/** Blocks and attributes as plain data, expressions as the texts of their tokens. */
function outline({ attributes, blocks }: HclBody): unknown {
  return {
    ...Object.fromEntries([...attributes].map(([name, tokens]) => [name, tokens.map(({ text }) => text).join(' ')])),
    ...(blocks.length > 0 ? { blocks: blocks.map((block) => [block.type, ...block.labels, outline(block)]) } : {}),
  };
}

describe('parseHcl', () => {
  it('reads blocks in blocks, with labels in quotes and without', () => {
    const source = 'resource "aws_sqs_queue" jobs {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\nlocals {}\n';
    expect(outline(parseHcl(source))).toEqual({
      blocks: [
        ['resource', 'aws_sqs_queue', 'jobs', { blocks: [['lifecycle', { prevent_destroy: 'true' }]] }],
        ['locals', {}],
      ],
    });
  });

  it('ends an attribute with its line, or with the block on one line', () => {
    expect(outline(parseHcl('a = 1 # x\nb { c = 2 }\nd = 3'))).toEqual({ a: '1', blocks: [['b', { c: '2' }]], d: '3' });
  });

  it('takes line breaks inside brackets, braces and templates for a part of the expression', () => {
    const source = 'a = [\n 1,\n]\nb = {\n c = 2\n}\nd = f(\n3)\ne = "${\n4}"\ng = 5';
    expect(outline(parseHcl(source))).toEqual({
      a: '[ \n 1 , \n ]',
      b: '{ \n c = 2 \n }',
      d: 'f ( \n 3 )',
      e: '" ${ \n 4 } "',
      g: '5',
    });
  });

  it('goes on after a heredoc', () => {
    expect(outline(parseHcl('a = <<EOT\n} b = 1\nEOT\nc = 2'))).toEqual({ a: '<< } b = 1\n EOT', c: '2' });
  });

  it.each([
    ['a "b" c\nd = 1', { d: '1' }],
    ['a "${b}" {\n}\nd = 1', { d: '1' }],
    ['} } d = 1', { d: '1' }],
    ['[ 1 ]\n"x"\nd = 1', { d: '1' }],
    ['a = ) ]\nd = 1', { a: ') ]', d: '1' }],
    ['a = [\nd = 1', { a: '[ \n d = 1' }],
    ['a {\nd = 1', { blocks: [['a', { d: '1' }]] }],
  ])('reads what it can of broken text: %j', (source, expected) => {
    expect(outline(parseHcl(source))).toEqual(expected);
  });

  it('ends on any text', () => {
    const fragment = fc.constantFrom('a', ' "b"', '{', '}', '=', '\n', '[', ']', '"', '${', '<<E\n', 'E\n', '#', ',');
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => {
        expect(parseHcl(parts.join('')).blocks.length).toBeLessThanOrEqual(parts.length);
      }),
    );
  });

  // Reading labels again and again, or recursion, would not survive these.
  it.each(['a ', 'a {', '"a" ', 'a "b" ', 'a = ', '[', '}'])('reads %j a hundred thousand times over', (fragment) => {
    const { attributes, blocks } = parseHcl(fragment.repeat(100_000));
    expect(attributes.size + blocks.length).toBeLessThanOrEqual(1);
  });
});
