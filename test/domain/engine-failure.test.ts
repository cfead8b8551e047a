import { describe, expect, it } from 'vitest';
import { engineFailure, unexpectedExit } from '../../lib/domain/engine-failure.ts';
import { readUiStream } from '../../lib/domain/ui-stream.ts';

interface Given {
  readonly summary: string;
  readonly detail?: string;
  readonly range?: object;
}

const errors = (...given: readonly Given[]) =>
  readUiStream(
    given
      .map((diagnostic) => JSON.stringify({ type: 'diagnostic', diagnostic: { severity: 'error', ...diagnostic } }))
      .join('\n'),
  ).errors;

const fail = (...given: readonly Given[]) =>
  engineFailure('PlanFailed', { command: 'terraform plan', stderr: '', errors: errors(...given) });

const PLACE = { filename: 'main.tf', start: { line: 3, column: 5 } };

describe('engineFailure', () => {
  it("carries the engine's summary and place", () => {
    const error = fail({ summary: 'Invalid expression.', range: PLACE });
    expect(error).toMatchObject({
      code: 'PlanFailed',
      message: 'terraform plan failed: Invalid expression',
      location: { file: 'main.tf', line: 3, column: 5 },
      hint: undefined,
    });
  });

  it('names the first error that has a place, and counts the others', () => {
    const placed = { summary: 'Invalid expression', range: PLACE };
    expect(fail({ summary: 'There were problems' }, placed).message).toBe(
      'terraform plan failed: Invalid expression (+1 more error)',
    );
    expect(fail(placed, placed, placed).message).toContain('(+2 more errors)');
  });

  it('names the first error where none has a place', () => {
    expect(fail({ summary: 'One' }, { summary: 'Two' }).message).toBe('terraform plan failed: One (+1 more error)');
  });

  it.each([
    ['No valid credential sources found', '', 'credentials'],
    ['Retrieving AWS account details', 'api error ExpiredToken: the token has expired', 'credentials'],
    ['Cannot assume IAM Role', 'api error AccessDenied', 'credentials'],
    ['Failed to query available provider packages', 'could not connect to registry.terraform.io', 'provider mirror'],
    ['Failed to install provider', 'i/o timeout', 'provider mirror'],
    ['Plugin did not respond', 'The plugin encountered an error', 'memory'],
    ['Backend initialization required, please run "terraform init"', '', '-reconfigure'],
    ['Currently selected workspace "x" does not exist', '', 'workspace select'],
  ])('says what to do about %j', (summary, detail, hint) => {
    expect(fail({ summary: 'Odd', range: PLACE }, { summary, detail }).hint).toContain(hint);
  });

  it('is StackBusy where somebody holds the lock', () => {
    const detail = 'Error message: resource temporarily unavailable\nLock Info:\n  ID: 2d3077fb\n  Who: ann@host';
    const error = fail({ summary: 'Error acquiring the state lock', detail });
    expect(error.code).toBe('StackBusy');
    expect(error.message).not.toContain('ann@host');
  });

  it('is not StackBusy where the lock table can not be reached', () => {
    const detail = 'Error message: operation error DynamoDB: PutItem, AccessDeniedException';
    expect(fail({ summary: 'Error acquiring the state lock', detail }).code).toBe('PlanFailed');
  });

  it('reads the error output where there were no events', () => {
    const stderr = 'Error: Unsupported option\n\n  on main.tf line 2, in terraform:\n';
    const error = engineFailure('InitFailed', { command: 'terraform init', stderr, errors: errors() });
    expect(error).toMatchObject({
      code: 'InitFailed',
      message: 'terraform init failed: Unsupported option',
      location: { file: 'main.tf', line: 2 },
    });
  });

  it('quotes the last line of the error output where there is no diagnostic', () => {
    const stderr = 'line 1\n\u001b[31m/opt/bin/terraform: exec: not found\u001b[0m\n\n';
    const given = { command: 'terraform init', errors: errors() };
    expect(engineFailure('InitFailed', { ...given, stderr }).message).toBe(
      'terraform init failed without a reason: /opt/bin/terraform: exec: not found',
    );
    expect(engineFailure('InitFailed', { ...given, stderr: '' }).message).toBe(
      'terraform init failed without a reason',
    );
  });
});

describe('unexpectedExit', () => {
  const exit = { command: 'terraform plan', stderr: '' };

  it('names the signal, and what is usually behind a kill', () => {
    const error = unexpectedExit({ ...exit, signal: 'SIGKILL' });
    expect(error).toMatchObject({ code: 'UnexpectedExit', message: 'terraform plan was ended by SIGKILL' });
    expect(error.hint).toContain('memory');
  });

  it.each([
    [137, 'terraform plan exited with code 137 (SIGKILL)'],
    [139, 'terraform plan exited with code 139 (SIGSEGV)'],
    [11, 'terraform plan exited with code 11'],
  ])('explains exit code %i', (code, message) => {
    expect(unexpectedExit({ ...exit, code }).message).toBe(message);
  });

  it('gives no hint about memory where nothing was killed', () => {
    expect(unexpectedExit({ ...exit, code: 11 }).hint).toBeUndefined();
  });
});
