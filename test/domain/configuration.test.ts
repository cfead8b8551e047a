import { describe, expect, it } from 'vitest';
import { type Configuration, indexConfiguration } from '../../lib/domain/configuration.ts';
import type { JsonObject } from '../../lib/domain/json.ts';

const configurationOf = (root_module: JsonObject): Configuration =>
  indexConfiguration({ configuration: { root_module } });

const resource = (address: string, expressions: JsonObject, more: JsonObject = {}): JsonObject => {
  const [type = '', name = ''] = address.split('.');
  return { address, mode: 'managed', type, name, expressions, ...more };
};

const refers = (...references: readonly string[]): JsonObject => ({ references });

/** Addresses, with a `+` where there may be more. */
const shown = ({ addresses, opaque }: ReturnType<Configuration['feeds']>) => `${[...addresses]}${opaque ? '+' : ''}`;

/** What feeds `input` of a root resource with this expression. */
const feedsOfInput = (input: JsonObject, more: JsonObject = {}) =>
  shown(configurationOf({ resources: [resource('x.y', { input })], ...more }).feeds('x.y', ['input']));

describe('sets and literal', () => {
  const configuration = configurationOf({
    resources: [
      resource('aws_sqs_queue.a', {
        name: { constant_value: 'a' },
        tags: { constant_value: { team: 'x', ports: [80] } },
        policy: refers('var.policy'),
        redrive: [{ target: { constant_value: 'b' } }],
      }),
      resource('aws_sqs_queue.a', { url: { constant_value: 'u' } }, { mode: 'data' }),
    ],
    module_calls: { m: { module: { resources: [resource('aws_sqs_queue.a', { name: {} })] } } },
  });

  it.each([
    ['aws_sqs_queue.a', ['name'], 'yes'],
    ['aws_sqs_queue.a', ['tags', 'team'], 'yes'],
    ['aws_sqs_queue.a', ['redrive', 0, 'target'], 'yes'],
    ['aws_sqs_queue.a', ['delay_seconds'], 'no'],
    ['aws_sqs_queue.a["key"]', ['name'], 'yes'],
    ['module.m[0].aws_sqs_queue.a', ['name'], 'yes'],
    ['module.m[0].aws_sqs_queue.a', ['policy'], 'no'],
    ['data.aws_sqs_queue.a', ['url'], 'yes'],
    ['data.aws_sqs_queue.a', ['name'], 'no'],
    ['aws_sqs_queue.gone', ['name'], 'unknown'],
    ['module.n.aws_sqs_queue.a', ['name'], 'unknown'],
  ] as const)('of %s, the configuration sets %j: %s', (address, path, expected) => {
    expect(configuration.sets(address, path)).toBe(expected);
  });

  it.each([
    [['name'], 'a'],
    [['tags', 'team'], 'x'],
    [['tags', 'ports', 0], 80],
    [['tags', 'other'], undefined],
    [['policy'], undefined],
    [['redrive', 0, 'target'], undefined],
    [['delay_seconds'], undefined],
  ] as const)('reads the literal at %j: %j', (path, expected) => {
    expect(configuration.literal('aws_sqs_queue.a', path)).toEqual(expected);
  });

  it('knows nothing where the document has no configuration', () => {
    const nothing = indexConfiguration({});

    expect(nothing.sets('x.y', ['a'])).toBe('unknown');
    expect(nothing.literal('x.y', ['a'])).toBeUndefined();
    expect(shown(nothing.feeds('x.y', ['a']))).toBe('');
    expect(shown(nothing.feedsOutput('o'))).toBe('');
  });
});

describe('feeds', () => {
  it.each<[JsonObject, string]>([
    [{ constant_value: 'a' }, ''],
    [refers('aws_vpc.main.id', 'aws_vpc.main'), 'aws_vpc.main'],
    [refers('aws_vpc.main["a.b"].id', 'aws_vpc.main["a.b"]', 'aws_vpc.main'), 'aws_vpc.main'],
    [refers('data.aws_ami.linux.id', 'data.aws_ami.linux'), 'data.aws_ami.linux'],
    [refers('aws_vpc.a', 'data.aws_ami.b'), 'aws_vpc.a,data.aws_ami.b'],
    [refers('local.name'), '+'],
    [refers('local.names["a.b"]', 'local.names', 'aws_vpc.main'), 'aws_vpc.main+'],
    [refers('each.key', 'count.index', 'path.module', 'terraform.workspace', 'self.id', 'var.name', 'data.x'), ''],
    [refers('module.unknown.out', 'module.unknown'), ''],
    [refers('nonsense'), ''],
  ])('reads %j as %j', (expression, expected) => {
    expect(feedsOfInput(expression)).toBe(expected);
  });

  it('looks into blocks, at whatever depth', () => {
    const configuration = configurationOf({
      resources: [
        resource('x.y', { rule: [{ from: { constant_value: 1 } }, { part: [{ to: refers('local.port') }] }] }),
      ],
    });

    expect(shown(configuration.feeds('x.y', ['rule', 1, 'part']))).toBe('+');
  });

  it('does not take a map for an expression', () => {
    expect(feedsOfInput({ constant_value: { references: ['local.name'] } })).toBe('');
  });

  it('takes what each stands for from for_each', () => {
    const each = { for_each_expression: refers('data.aws_zones.all') };
    const configuration = configurationOf({
      resources: [resource('x.y', { name: refers('each.value.name', 'each.value'), size: refers('var.size') }, each)],
    });

    expect(shown(configuration.feeds('x.y["a"]', ['name']))).toBe('data.aws_zones.all');
    expect(shown(configuration.feeds('x.y["a"]', ['size']))).toBe('');
  });

  it('knows no more than that of a resource in a module that is gone', () => {
    const configuration = configurationOf({});

    expect(shown(configuration.feeds('module.gone.x.y', ['name']))).toBe('+');
    expect(shown(configuration.feedsExistence('module.gone.x.y'))).toBe('+');
  });

  it.each([
    ['sensitive', { token: { sensitive: true } }, 'var.token', '+'],
    ['secret by its name', { db_password: {} }, 'var.db_password', '+'],
    ['neither', { size: { default: 1 } }, 'var.size', ''],
  ])('may be fed unseen by a variable that is %s', (_, variables, reference, expected) => {
    expect(feedsOfInput(refers(reference), { variables })).toBe(expected);
  });
});

describe('feeds through modules', () => {
  const child: JsonObject = {
    resources: [resource('x.inner', { input: refers('var.size') })],
    outputs: {
      id: { expression: refers('x.inner.id', 'x.inner') },
      zone: { expression: refers('data.aws_zone.z.id', 'data.aws_zone.z') },
      name: { expression: refers('local.name') },
    },
  };
  const call = (expressions: JsonObject, more: JsonObject = {}): JsonObject => ({
    expressions,
    module: child,
    ...more,
  });

  it('goes through variables to the root', () => {
    const inner = (expressions: JsonObject, more: JsonObject = {}) =>
      shown(
        configurationOf({ module_calls: { m: call(expressions, more) } }).feeds('module.m["k"].x.inner', ['input']),
      );

    expect(inner({ size: refers('data.aws_size.s.value', 'data.aws_size.s') })).toBe('data.aws_size.s');
    expect(inner({ size: refers('local.size') })).toBe('+');
    expect(inner({ size: refers('var.api_token') })).toBe('+');
    expect(inner({})).toBe('');
    expect(inner({ size: refers('each.value') })).toBe('');
    expect(inner({ size: refers('each.value') }, { for_each_expression: refers('local.sizes') })).toBe('+');
  });

  it.each([
    [refers('module.m.id', 'module.m'), 'module.m.x.inner'],
    [refers('module.m["k"].zone', 'module.m["k"]', 'module.m'), 'module.m.data.aws_zone.z'],
    [refers('module.m.name', 'module.m'), '+'],
    [refers('module.m.nope', 'module.m'), ''],
    // As Terraform writes `module.m[each.key].id` and a splat: any output may be meant.
    [refers('module.m', 'each.key'), 'module.m.x.inner,module.m.data.aws_zone.z+'],
  ])('goes through outputs: %j', (expression, expected) => {
    expect(feedsOfInput(expression, { module_calls: { m: call({}) } })).toBe(expected);
  });

  it('comes to an end where modules feed each other', () => {
    const loop = { outputs: { out: { expression: refers('var.in') } } };
    const through = (other: string): JsonObject => ({
      expressions: { in: refers(`module.${other}.out`) },
      module: loop,
    });

    expect(feedsOfInput(refers('module.a.out'), { module_calls: { a: through('b'), b: through('a') } })).toBe('');
  });
});

describe('feedsExistence', () => {
  it.each<[JsonObject, string]>([
    [{}, ''],
    [{ count_expression: refers('data.aws_zones.all.names', 'data.aws_zones.all') }, 'data.aws_zones.all'],
    [{ for_each_expression: refers('local.names') }, '+'],
  ])('follows what decides on instances: %j', (more, expected) => {
    expect(shown(configurationOf({ resources: [resource('x.y', {}, more)] }).feedsExistence('x.y[0]'))).toBe(expected);
  });

  it('follows what decides on the instances of every module around it', () => {
    const inner = { resources: [resource('x.y', {}, { count_expression: refers('var.n') })] };
    const middle = { module_calls: { inner: { module: inner, count_expression: refers('data.a.b.c', 'data.a.b') } } };
    const configuration = configurationOf({
      module_calls: { outer: { module: middle, for_each_expression: refers('local.regions') } },
    });

    expect(shown(configuration.feedsExistence('module.outer["eu"].module.inner[0].x.y[0]'))).toBe(
      'module.outer.data.a.b+',
    );
  });
});

describe('feedsOutput', () => {
  it.each([
    ['plain', ''],
    ['id', 'x.y'],
    ['secret', ''],
    ['unknown', ''],
  ])('follows the root output %s', (name, expected) => {
    const configuration = configurationOf({
      resources: [resource('x.y', {})],
      outputs: {
        plain: { expression: { constant_value: 1 } },
        id: { expression: refers('x.y.id', 'x.y') },
        secret: { expression: refers('var.password') },
      },
    });

    expect(shown(configuration.feedsOutput(name))).toBe(expected);
  });
});
