import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyEquivalent } from '../../lib/domain/equivalence.ts';
import { canonicalJson, type Json, type JsonObject, showJson } from '../../lib/domain/json.ts';
import type { Path } from '../../lib/domain/path.ts';
import { anyJson, reorderMembers, similarJson } from '../support/json-values.ts';

const POLICY: Path = ['policy'];

describe('whyEquivalent: empty values', () => {
  const empty = fc.constantFrom<Json>(null, '', [], {}, { team: null }, { a: '', b: { c: [] } });
  const full = fc.constantFrom<Json>(false, 0, ' ', [null], [''], { a: 0 }, { a: { b: false } });

  it('takes empty values for one another in drift (C3)', () => {
    fc.assert(
      fc.property(empty, empty, (before, after) => {
        expect(whyEquivalent('drift', ['tags'], before, after)).toBe('empty-flip');
      }),
    );
  });

  it('tells them apart in a plan, where a rule may go (C7)', () => {
    fc.assert(
      fc.property(empty, empty, (before, after) => {
        expect(whyEquivalent('planned', ['ingress'], before, after)).toBeUndefined();
      }),
    );
  });

  it('never takes a value for an empty one', () => {
    fc.assert(
      fc.property(fc.constantFrom('drift', 'planned'), empty, full, (kind, before, after) => {
        expect(whyEquivalent(kind, ['ingress'], before, after)).toBeUndefined();
        expect(whyEquivalent(kind, ['ingress'], after, before)).toBeUndefined();
      }),
    );
  });
});

describe('whyEquivalent: any two values', () => {
  const somePath = fc.constantFrom<Path>(['policy'], ['name'], ['inline_policy', 0, 'policy']);
  const value = fc.oneof(similarJson, similarJson.map(showJson), anyJson.map(showJson), fc.constantFrom('{', '[1'));

  it('gives one answer both ways', () => {
    fc.assert(
      fc.property(fc.constantFrom('drift', 'planned'), somePath, value, value, (kind, path, left, right) => {
        expect(whyEquivalent(kind, path, left, right)).toBe(whyEquivalent(kind, path, right, left));
      }),
    );
  });

  it('never finds a real difference between a value and itself', () => {
    const reasons = [undefined, 'empty-flip', 'same-json'];
    fc.assert(
      fc.property(fc.constantFrom('drift', 'planned'), somePath, value, (kind, path, same) => {
        expect(reasons).toContain(whyEquivalent(kind, path, same, same));
      }),
    );
  });

  it('takes two documents outside policies for the same only where they are', () => {
    fc.assert(
      fc.property(similarJson, similarJson, (left, right) => {
        const isSame = canonicalJson(left) === canonicalJson(right) && typeof left === 'object';
        const reason = whyEquivalent('planned', ['definition'], showJson(left), showJson(right));
        expect(reason).toBe(isSame ? 'same-json' : undefined);
      }),
    );
  });
});

describe('whyEquivalent: documents in strings', () => {
  const same = (left: string, right: string, path: Path = ['redrive_policy']) =>
    whyEquivalent('planned', path, left, right);

  it('looks through white space, escapes and the order of members', () => {
    fc.assert(
      fc.property(fc.array(anyJson), (value) => {
        const spaced = ` \n${JSON.stringify(reorderMembers(value), null, 2)}\n`;
        expect(same(showJson(value), spaced)).toBe('same-json');
      }),
    );
    expect(same('{"a":"<é>"}', '{"a":"\\u003c\\u00e9\\u003e"}')).toBe('same-json');
  });

  it('tells numbers apart that one double stands for', () => {
    expect(same('{"id":12345678901234567890}', '{"id":12345678901234567891}')).toBeUndefined();
    expect(same('{"id":1.0}', '{"id":1}')).toBe('same-json');
  });

  it.each([
    ['a number', '1', '1.0'],
    ['a word', 'true', ' true'],
    ['no JSON before', '{', '{}'],
    ['no JSON after', '{}', '{} x'],
    ['text before', 'policy', '{}'],
    ['text after', '{}', 'policy'],
  ])('does not look into %s', (_, before, after) => {
    expect(same(before, after)).toBeUndefined();
  });

  it('does not look into documents nested so deep that reading them could exhaust the stack', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(same(deep(150), ` ${deep(150)}`)).toBe('same-json');
    for (const levels of [5_000, 200_000]) expect(same(deep(levels), ` ${deep(levels)}`)).toBeUndefined();
  });

  it('keeps the order of lists that are no sets', () => {
    expect(same('{"rules":[1,2]}', '{"rules":[2,1]}', POLICY)).toBeUndefined();
  });
});

// A type, not an interface: only so it counts as a JSON object.
type Statement = {
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Principal: { readonly AWS: readonly string[] };
  readonly Condition: { readonly StringEquals: { readonly 'aws:SourceVpc': readonly string[] } };
};

const names = (prefix: string) =>
  fc.uniqueArray(
    fc.nat(9).map((at) => `${prefix}${at}`),
    { minLength: 1, maxLength: 3 },
  );

const anyStatement: fc.Arbitrary<Statement> = fc.record({
  Effect: fc.constantFrom('Allow', 'Deny'),
  Action: names('sqs:Action'),
  Resource: names('arn:aws:sqs:::queue'),
  Principal: names('arn:aws:iam:::role/r').map((roles) => ({ AWS: roles })),
  Condition: names('vpc-').map((vpcs) => ({ StringEquals: { 'aws:SourceVpc': vpcs } })),
});

const anyStatements = fc.array(anyStatement, { minLength: 1, maxLength: 3 });
const policyOf = (statements: Json): JsonObject => ({ Version: '2012-10-17', Statement: statements });

/** The same list in another order, with a repetition, or its only member alone: what AWS may make of a set. */
function disguise(members: readonly Json[], turn: number): Json {
  const [only = null, ...others] = members;
  if (others.length === 0 && turn % 2 === 0) return only;
  const at = turn % members.length;
  return [...members.slice(at), ...members.slice(0, at), only];
}

function disguisePolicy(statements: readonly Statement[], turn: number): JsonObject {
  const disguised = statements.map(({ Effect, Action, Resource, Principal, Condition }) => ({
    Condition: { StringEquals: { 'aws:SourceVpc': disguise(Condition.StringEquals['aws:SourceVpc'], turn) } },
    Resource: disguise(Resource, turn + 1),
    Principal: { AWS: disguise(Principal.AWS, turn + 2) },
    Effect,
    Action: disguise(Action, turn + 3),
  }));
  return policyOf(disguise(disguised, turn + 4));
}

/** One real change of one statement. */
const changes: readonly ((statement: Statement) => JsonObject)[] = [
  (statement) => ({ ...statement, Effect: statement.Effect === 'Allow' ? 'Deny' : 'Allow' }),
  (statement) => ({ ...statement, Action: [...statement.Action, 'sqs:*'] }),
  (statement) => ({ ...statement, Action: ['sqs:*', ...statement.Action.slice(1)] }),
  (statement) => ({ ...statement, Resource: ['*'] }),
  (statement) => ({ ...statement, Principal: { AWS: [...statement.Principal.AWS, 'arn:aws:iam:::root'] } }),
  (statement) => ({ ...statement, Principal: { AWS: '*' } }),
  (statement) => ({ ...statement, Principal: { Service: statement.Principal.AWS } }),
  (statement) => ({ ...statement, Principal: '*' }),
  (statement) => ({ ...statement, Condition: {} }),
  (statement) => ({ ...statement, Condition: { StringEquals: { 'aws:SourceVpc': ['vpc-other'] } } }),
  (statement) => ({ ...statement, Condition: { StringLike: statement.Condition.StringEquals } }),
  ({ Action, ...statement }) => ({ ...statement, NotAction: Action }),
  ({ Principal, ...statement }) => ({ ...statement, NotPrincipal: Principal }),
  ({ Condition, ...statement }) => statement,
];

describe('whyEquivalent: policy documents', () => {
  it('are the same in any order, with a member alone or in a list, repeated or not', () => {
    fc.assert(
      fc.property(anyStatements, fc.nat(100), (statements, turn) => {
        const before = JSON.stringify(policyOf(statements));
        const after = JSON.stringify(disguisePolicy(statements, turn));
        expect(['same-json', 'same-policy']).toContain(whyEquivalent('planned', POLICY, before, after));
        expect(whyEquivalent('planned', ['description'], before, after)).not.toBe('same-policy');
      }),
    );
  });

  it('are the same whether they say what is meant or what is not', () => {
    const before = [{ NotPrincipal: { AWS: ['a', 'b'] }, NotAction: ['c', 'd'], NotResource: ['e', 'f'] }];
    const after = { NotResource: ['f', 'e'], NotAction: ['d', 'c'], NotPrincipal: { AWS: ['b', 'a'] } };
    const texts = [before, after].map((statements) => JSON.stringify(policyOf(statements)));
    expect(whyEquivalent('planned', POLICY, ...(texts as [string, string]))).toBe('same-policy');
  });

  it('differ where an effect, action, resource, principal or condition does', () => {
    fc.assert(
      fc.property(anyStatement, fc.constantFrom(...changes), fc.nat(100), (statement, change, turn) => {
        const before = JSON.stringify(disguisePolicy([statement], turn));
        const after = JSON.stringify(policyOf([change(statement)]));
        expect(whyEquivalent('drift', POLICY, before, after)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('differ where a statement came or went', () => {
    fc.assert(
      fc.property(anyStatements, anyStatement, (statements, extra) => {
        const before = JSON.stringify(policyOf(statements));
        const after = JSON.stringify(policyOf([...statements, { ...extra, Sid: 'Extra' }]));
        expect(whyEquivalent('planned', POLICY, before, after)).toBeUndefined();
        expect(whyEquivalent('planned', POLICY, after, before)).toBeUndefined();
      }),
    );
  });

  it('differ where members moved between statements', () => {
    const before = policyOf([
      { Action: ['a', 'b'], Resource: 'x' },
      { Action: ['c'], Resource: 'y' },
    ]);
    const after = policyOf([
      { Action: ['a'], Resource: 'x' },
      { Action: ['b', 'c'], Resource: 'y' },
    ]);
    expect(whyEquivalent('drift', POLICY, showJson(before), showJson(after))).toBeUndefined();
  });

  it.each<[Path, 'same-policy' | undefined]>([
    [['policy'], 'same-policy'],
    [['assume_role_policy'], 'same-policy'],
    [['access_policies'], 'same-policy'],
    [['policy_document'], 'same-policy'],
    [['policy_json'], 'same-policy'],
    [['inline_policy', 0, 'policy'], 'same-policy'],
    [['policies', 2], 'same-policy'],
    [['policy_name'], undefined],
    [['policyholder'], undefined],
    [['definition'], undefined],
    [[], undefined],
  ])('are known by their path: %j', (path, reason) => {
    const [before, after] = ['{"Action":["a","b"]}', '{"Action":["b","a"]}'];
    expect(whyEquivalent('planned', path, before, after)).toBe(reason);
  });

  it('are compared as they stand where they are not as IAM has them', () => {
    const odd = (value: Json) => showJson({ Statement: { Principal: value, Condition: value } });
    expect(whyEquivalent('planned', POLICY, odd(['a', 'b']), odd(['b', 'a']))).toBeUndefined();
    const oddOperator = (value: Json) => showJson({ Statement: { Condition: { Bool: value } } });
    expect(whyEquivalent('planned', POLICY, oddOperator(['a', 'b']), oddOperator(['b', 'a']))).toBeUndefined();
  });
});
