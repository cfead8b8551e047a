import { describe, expect, it } from 'vitest';
import { readTextErrors } from '../../lib/domain/text-diagnostics.ts';

const PLAIN = `
Error: Terraform encountered problems during initialisation, including problems
with the configuration, described below.

The Terraform configuration must be valid before initialization so that
Terraform can determine which modules and providers need to be installed.


Error: Invalid expression

  on modules/a b/main.tf line 12, in resource "terraform_data" "a":
  12:   input =
  13: }

Expected the start of an expression, but found an invalid expression token.
`;

const BOXED = [
  '\u001b[33m╷\u001b[0m',
  '\u001b[33m│\u001b[0m Warning: Unable to open CLI configuration file',
  '│ ',
  '│ The CLI configuration file at "/etc/terraformrc" does not exist.',
  '╵',
  '╷',
  '│ \u001b[31mError: \u001b[0mInvalid index',
  '│ ',
  '│   with aws_sqs_queue.a,',
  '│   on main.tf line 3:',
  '│    3: name = local.names[7]',
  '╵\r',
].join('\n');

describe('readTextErrors', () => {
  it('reads summaries and places from plain text', () => {
    expect(readTextErrors(PLAIN)).toEqual({
      total: 2,
      first: [
        {
          severity: 'error',
          summary:
            'Terraform encountered problems during initialisation, including problems with the configuration, described below.',
        },
        { severity: 'error', summary: 'Invalid expression', location: { file: 'modules/a b/main.tf', line: 12 } },
      ],
    });
  });

  it('reads boxes with colours, and leaves warnings out', () => {
    expect(readTextErrors(BOXED)).toEqual({
      total: 1,
      first: [{ severity: 'error', summary: 'Invalid index', location: { file: 'main.tf', line: 3 } }],
    });
  });

  it('recognises a problem although the text is wrapped', () => {
    const text = 'Error: Error acquiring the\nstate lock\n\nError message: busy\nLock\nInfo:\n  ID: 1';
    expect(readTextErrors(text).first[0]?.problem).toBe('lock-held');
  });

  it('finds nothing in text without diagnostics', () => {
    expect(readTextErrors('panic: runtime error\n\tmain.go:12').total).toBe(0);
  });
});
