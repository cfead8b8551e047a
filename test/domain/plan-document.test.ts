import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { type PlanDocument, readPlanDocument } from '../../lib/domain/plan-document.ts';

const read = (members: Readonly<Record<string, unknown>>): PlanDocument =>
  readPlanDocument(JSON.stringify({ format_version: '1.2', resource_changes: [], ...members }));

const change = { actions: ['update'], before: { a: 1 }, after: { a: 2 }, after_unknown: {} };
const entry = { address: 'aws_sqs_queue.a', mode: 'managed', type: 'aws_sqs_queue', name: 'a', change };

const refusal = (text: string) => {
  try {
    readPlanDocument(text);
  } catch (error) {
    return error instanceof HoldfastError ? error : undefined;
  }
  return undefined;
};

describe('readPlanDocument', () => {
  it.each(['0.1', '0.2', '1.0', '1.1', '1.2', '1.99'])('reads format %s', (format_version) => {
    expect(read({ format_version }).formatVersion).toBe(format_version);
  });

  it('reads a document that has only what every version has', () => {
    expect(read({ terraform_version: '0.12.31' })).toMatchObject({
      terraformVersion: '0.12.31',
      errored: false,
      changes: [],
      drift: [],
      outputs: [],
      checks: [],
      actionInvocations: [],
      deferred: [],
      relevantAttributes: [],
    });
  });

  it('takes no version for unknown', () => {
    expect(read({}).terraformVersion).toBeNull();
  });

  it('takes an absent flag for unknown, never for false: OpenTofu has none (field case B3)', () => {
    expect(read({})).toMatchObject({ complete: undefined, applyable: undefined, errored: false });
    expect(read({ complete: null, applyable: 'yes' })).toMatchObject({ complete: undefined, applyable: undefined });
  });

  it('reads the flags of an errored plan (field case B4)', () => {
    const flags = { errored: true, complete: false, applyable: false };

    expect(read(flags)).toMatchObject(flags);
  });

  it('keeps what it does not know (field case B6)', () => {
    const { raw } = read({ something_new: { from: 'Terraform 2' } });

    expect(raw.something_new).toEqual({ from: 'Terraform 2' });
  });

  it('keeps the digits of numbers that a double would lose', () => {
    const text = '{"format_version":"1.2","resource_changes":[],"variables":{"n":{"value":12345678901234567890}}}';

    expect(readPlanDocument(text).raw).toMatchObject({
      variables: { n: { value: { source: '12345678901234567890' } } },
    });
  });

  it.each([
    ['an empty list', [], true],
    ['null', null, false],
    ['no list', undefined, false],
  ])('%s of planned changes plans changes: %s', (_, resource_changes, expected) => {
    const drift = [{ ...entry, change: { ...change, actions: ['no-op'] } }];

    expect(read({ resource_changes, resource_drift: drift }).plansChanges).toBe(expected);
  });
});

describe('a change in a plan document', () => {
  const readEntry = (more: Readonly<Record<string, unknown>>) =>
    read({ resource_changes: [{ ...entry, ...more }] }).changes[0];

  it('is read with all that is said of it', () => {
    const full = {
      deposed: '00000001',
      previous_address: 'aws_sqs_queue.old',
      action_reason: 'replace_because_tainted',
      change: {
        ...change,
        actions: ['delete', 'create'],
        after_unknown: { arn: true },
        before_sensitive: { a: true },
        after_sensitive: false,
        importing: { id: 'x' },
        replace_paths: [['a', 0, 'b'], 'no path', [null]],
      },
    };

    expect(readEntry(full)).toEqual({
      address: 'aws_sqs_queue.a',
      deposed: '00000001',
      previousAddress: 'aws_sqs_queue.old',
      mode: 'managed',
      type: 'aws_sqs_queue',
      actions: ['delete', 'create'],
      actionReason: 'replace_because_tainted',
      importing: true,
      before: { a: 1 },
      after: { a: 2 },
      afterUnknown: { arn: true },
      beforeSensitive: { a: true },
      afterSensitive: false,
      replacePaths: [['a', 0, 'b']],
    });
  });

  it('is read where most of it is missing', () => {
    expect(
      readEntry({ mode: 'data', change: { actions: ['read'] }, deposed: '', previous_address: null }),
    ).toMatchObject({
      deposed: undefined,
      previousAddress: undefined,
      mode: 'data',
      importing: false,
      before: null,
      after: null,
      afterUnknown: false,
      beforeSensitive: undefined,
      afterSensitive: undefined,
      replacePaths: [],
    });
  });

  it.each([['forget'], ['create', 'forget'], ['forget', 'create'], ['transmute'], []])(
    'keeps its actions whatever they are: %s (field case B2)',
    (...actions) => {
      expect(readEntry({ change: { ...change, actions } })?.actions).toEqual(actions);
    },
  );

  it.each([
    [{}, 'aws_sqs_queue.a'],
    [{ index: 0 }, 'aws_sqs_queue.a[0]'],
    [{ index: 'x"y' }, 'aws_sqs_queue.a["x\\"y"]'],
    [{ index: null, module_address: 'module.m[0]' }, 'module.m[0].aws_sqs_queue.a'],
    [{ mode: 'data', module_address: 'module.m' }, 'module.m.data.aws_sqs_queue.a'],
  ])('gets its address put together where there is none: %j', (more, address) => {
    expect(readEntry({ address: undefined, ...more })?.address).toBe(address);
  });
});

describe('the other parts of a plan document', () => {
  it('are drift, outputs, checks, actions, deferred changes and relevant attributes', () => {
    const document = read({
      resource_drift: [entry],
      output_changes: { arn: { actions: ['create'] }, same: { actions: ['no-op'] } },
      checks: [{ address: { kind: 'check', to_display: 'check.size' }, status: 'fail', instances: [] }],
      action_invocations: [{ address: 'action.aws_lambda_invoke.warm', type: 'aws_lambda_invoke' }],
      deferred_changes: [{ reason: 'instance_count_unknown', resource_change: { ...entry, address: 'x.y[*]' } }],
      relevant_attributes: [{ resource: 'aws_vpc.main', attribute: ['id'] }, { attribute: ['id'] }, 'nothing'],
    });

    expect(document.drift.map(({ address }) => address)).toEqual(['aws_sqs_queue.a']);
    expect(document.outputs).toEqual([
      { name: 'arn', actions: ['create'] },
      { name: 'same', actions: ['no-op'] },
    ]);
    expect(document.checks).toEqual([{ address: 'check.size', status: 'fail' }]);
    expect(document.actionInvocations).toEqual(['action.aws_lambda_invoke.warm']);
    expect(document.deferred.map(({ address }) => address)).toEqual(['x.y[*]']);
    expect(document.relevantAttributes).toEqual([{ resource: 'aws_vpc.main' }]);
  });

  it('may be null', () => {
    const sections = ['resource_drift', 'output_changes', 'checks', 'deferred_changes', 'relevant_attributes'];

    expect(() => read(Object.fromEntries(sections.map((section) => [section, null])))).not.toThrow();
  });
});

describe('readPlanDocument on anything else', () => {
  it.each([
    ['an empty file', '', 'the plan document is not JSON: Unexpected end of JSON input'],
    ['text for people', 'Terraform will perform …', "the plan document is not JSON: Unexpected token 'T'"],
    ['a list', '[]', 'the plan document is a list, expected a JSON object'],
    ['a text', '"plan"', 'the plan document is a string, expected a JSON object'],
    ['no version', '{}', 'format_version is nothing, expected a text such as "1.2"'],
    ['a number for a version', '{"format_version":1}', 'format_version is a number, expected a text'],
    ['a state file', '{"version":4,"serial":1,"lineage":"x","resources":[]}', 'format_version is nothing'],
  ])('fails on %s', (_, text, message) => {
    const error = refusal(text);

    expect(error?.code).toBe('PlanUnreadable');
    expect(error?.message).toContain(message);
    expect(error?.hint).toContain('show -json PLANFILE');
  });

  it.each(['2.0', '10.1', '1', '1.2.3', 'latest', ''])('fails on format %j, which may mean other things', (version) => {
    const error = refusal(JSON.stringify({ format_version: version, resource_changes: [] }));

    expect(error?.code).toBe('PlanUnreadable');
    expect(error?.message).toBe(`plan format ${JSON.stringify(version)} is not known, expected 0.x or 1.x`);
  });

  it.each([
    ['an empty state', {}],
    ['a state', { terraform_version: '1.11.4', values: { root_module: {} } }],
    ['provider schemas', { provider_schemas: {} }],
    ['what validate says', { valid: true, error_count: 0 }],
  ])('fails on %s, which would look like a clean plan', (_, members) => {
    const error = refusal(JSON.stringify({ format_version: '1.0', ...members }));

    expect(error?.message).toContain('the document is not a plan');
    expect(error?.hint).toContain('name the plan file');
  });
});

describe('readPlanDocument on a broken part', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['resource_changes is an object, expected a list', { resource_changes: {} }],
    ['resource_drift is a string, expected a list', { resource_drift: 'none' }],
    ['resource_changes[0] is null, expected an object', { resource_changes: [null] }],
    [
      'resource_changes[1].change is nothing, expected an object',
      { resource_changes: [entry, { ...entry, change: undefined }] },
    ],
    ['resource_changes[0].type is nothing, expected a text', { resource_changes: [{ ...entry, type: undefined }] }],
    [
      'resource_changes[0].name is a string, expected a text',
      { resource_changes: [{ ...entry, address: null, name: '' }] },
    ],
    [
      'resource_drift[0].change.actions is nothing, expected a list of action names',
      { resource_drift: [{ ...entry, change: {} }] },
    ],
    [
      'resource_changes[0].change.actions is a number, expected a list of action names',
      { resource_changes: [{ ...entry, change: { actions: ['update', 3] } }] },
    ],
    ['output_changes is a list, expected an object', { output_changes: [] }],
    ['output_changes.arn is a boolean, expected an object', { output_changes: { arn: true } }],
    ['output_changes.arn.actions is nothing', { output_changes: { arn: {} } }],
    ['checks[0].address is nothing, expected an object', { checks: [{ status: 'pass' }] }],
    ['checks[0].address.to_display is nothing', { checks: [{ address: {}, status: 'pass' }] }],
    ['checks[0].status is nothing', { checks: [{ address: { to_display: 'check.a' } }] }],
    ['action_invocations[0].address is nothing', { action_invocations: [{}] }],
    ['deferred_changes[0] is a string, expected an object', { deferred_changes: ['later'] }],
    ['deferred_changes[0].resource_change is nothing', { deferred_changes: [{ reason: 'unknown' }] }],
  ])('fails: %s', (message, members) => {
    expect(() => read(members)).toThrow(message);
  });

  it.each([
    '{"format_version":"1.2","resource_changes":"hunter2"}',
    '{"password":"hunter2" x}',
    '["hunter2\n',
    'hunter2',
  ])('does not quote the document, which may hold secrets: %j', (text) => {
    const error = refusal(text);

    expect(error?.code).toBe('PlanUnreadable');
    expect(`${error?.message} ${error?.cause}`).not.toMatch(/unter2|hunter/);
  });

  it('fails on a number too long for a double as on any other', () => {
    expect(refusal('{"format_version":12345678901234567890}')?.message).toContain('format_version is a number');
  });
});
