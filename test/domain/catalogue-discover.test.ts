import { describe, expect, it } from 'vitest';
import { load, OWN, specOf, told } from '../support/catalogue-world.ts';

const MODULES = ['.', 'live/dev/dns', 'live/prod/dns', 'live/prod/network', 'live/prod/modules/vpc', 'shared/state'];

const ids = async (yaml: string, modules: readonly string[] = MODULES) => {
  const { stacks, problems } = await load(yaml, { modules });
  expect(problems).toEqual([]);
  return stacks.map(({ spec }) => spec.id);
};

const problemsOf = async (yaml: string, modules: readonly string[] = MODULES) =>
  told((await load(yaml, { modules })).problems);

describe('discover', () => {
  it('makes a stack of each root module that the paths match, named after its path', async () => {
    expect(await ids('discover: [{ paths: live/*/* }]')).toEqual([
      'live/dev/dns',
      'live/prod/dns',
      'live/prod/network',
    ]);
  });

  it('leaves child modules out unless the paths name them', async () => {
    expect(await ids('discover: [{ paths: live/** }]')).not.toContain('live/prod/modules/vpc');
    expect(await ids('discover: [{ paths: "**/modules/*" }]')).toEqual(['live/prod/modules/vpc']);
    expect(await ids('discover: [{ paths: live/**, exclude: [] }]')).toContain('live/prod/modules/vpc');
  });

  it('leaves excluded paths out', async () => {
    expect(await ids('discover: [{ paths: live/*/*, exclude: "*/prod/*" }]')).toEqual(['live/dev/dns']);
    expect(await ids('discover: [{ paths: live/*/*, exclude: ["**/dns", "x"] }]')).toEqual(['live/prod/network']);
  });

  it('counts a module once that several paths match, by the first of them', async () => {
    const yaml = 'discover: [{ paths: ["live/prod/{first}", "live/{second}/*"] }]';
    const { stacks } = await load(yaml, { modules: MODULES });

    expect(stacks.map(({ spec }) => spec.labels)).toEqual([['second:dev'], ['first:dns'], ['first:network']]);
  });

  it('makes dependencies the way it makes ids', async () => {
    const yaml = 'discover: [{ paths: "{stage}/*", dependsOn: ["{stage}/net_work"] }]';

    expect((await specOf(yaml, 'prod/dns', { modules: ['Prod/net_work', 'Prod/dns'] })).dependsOn).toEqual([
      'prod/net-work',
    ]);
    expect(await problemsOf(yaml.replace('/net_work', ''), ['___/dns'])).toContain(
      '1:46 error field-invalid stack "dns": dependsOn[0]: expected an id of a-z, 0-9, - and /, up to 128 characters',
    );
  });

  it('takes the module at the root of a repository', async () => {
    const spec = await specOf('discover: [{ paths: ".", id: root }]', 'root', { modules: MODULES });

    expect(spec.source).toEqual({ ...OWN, path: '.' });
  });

  it('fills parts of the path into ids, labels and settings', async () => {
    const yaml = `
discover:
  - paths: live/{environment}/{layer}
    id: "{environment}/{layer}"
    labels: ["team:{layer}"]
    workspace: "{environment}"
    planRole: arn:aws:iam::111122223333:role/{environment}-plan
    backendConfig: { bucket: states, key: "{path}.tfstate" }
    vars: { tags: { layer: "{layer}", count: 1 } }
    secrets: { TOKEN: { ssm: "/{environment}/token" } }
    dependsOn: ["{environment}/network"]
`;
    const world = { modules: ['live/prod/network', 'live/prod/Data_Base'] };

    expect(await specOf(yaml, 'prod/data-base', world)).toMatchObject({
      id: 'prod/data-base',
      source: { ...OWN, path: 'live/prod/Data_Base' },
      labels: ['environment:prod', 'layer:Data_Base', 'team:Data_Base'],
      workspace: 'prod',
      planRole: 'arn:aws:iam::111122223333:role/prod-plan',
      backendConfig: { bucket: 'states', key: 'live/prod/Data_Base.tfstate' },
      vars: { tags: { layer: 'Data_Base', count: 1 } },
      secrets: { TOKEN: { kind: 'ssm', name: '/prod/token' } },
      dependsOn: ['prod/network'],
    });
    expect((await specOf(yaml, 'prod/network', world)).dependsOn).toEqual([]);
  });

  it('looks into the repository that the rule, or else the defaults, name', async () => {
    const other = { url: 'git@github.com:acme/other.git', ref: 'v1' };
    const modules = { [`${other.url} v1`]: ['a'], [`${other.url} HEAD`]: ['b'], [`${OWN.url} main`]: ['c'] };
    const rule = (source: string) => `discover: [{ paths: "*", source: ${source} }]`;

    expect((await specOf(rule(`{ url: "${other.url}", ref: v1 }`), 'a', { modules })).source).toEqual({
      ...other,
      path: 'a',
    });
    expect((await specOf(rule(`{ url: "${other.url}" }`), 'b', { modules })).source.ref).toBe('HEAD');
    expect((await specOf(rule('{}'), 'c', { modules })).source).toEqual({ ...OWN, path: 'c' });
    const defaults = `defaults: { source: { url: "${other.url}", ref: v1 } }\n`;
    expect((await specOf(`${defaults}discover: [{ paths: a }]`, 'a', { modules })).source).toEqual({
      ...other,
      path: 'a',
    });
  });
});

describe('discover with a mistake', () => {
  it('fails where nothing matches, because all stacks would go', async () => {
    expect(await problemsOf('discover:\n  - paths: lvie/*\n')).toEqual([
      `2:12 error discover-finds-nothing no folder with Terraform files in ${OWN.url} matches these paths`,
    ]);
  });

  it('warns where there is no copy of the repository, and asks nothing more of what it could have found', async () => {
    const yaml = `
discover: [{ paths: "*", source: { url: "https://example.com/x/y" } }]
stacks:
  - { id: a, source: { path: a }, dependsOn: [found] }
  - { id: found }
`;
    const { stacks, problems, complete } = await load(yaml, { modules: MODULES });

    expect(told(problems)).toEqual([
      '2:21 warning discover-not-checked no copy of https://example.com/x/y at hand, so nobody knows what these paths match',
    ]);
    expect(problems[0]?.hint).toContain('--checkout https://example.com/x/y=DIR');
    expect(stacks.map(({ spec }) => spec.id)).toEqual(['a']);
    expect(complete).toBe(false);
  });

  it('fails on patterns that mean nothing', async () => {
    expect(await problemsOf('discover: [{ paths: ["{a}{b}", "x/{a}/{a}"], exclude: "{X}" }]')).toEqual([
      '1:22 error pattern-invalid pattern "{a}{b}" is not understood: nothing says where one wildcard ends and the next begins',
      '1:32 error pattern-invalid pattern "x/{a}/{a}" is not understood: {a} stands in the pattern twice',
      '1:55 error pattern-invalid pattern "{X}" is not understood: {X} is no placeholder: expected one such as {environment}',
    ]);
  });

  it('fails on placeholders that are not in every pattern', async () => {
    const yaml =
      'discover:\n  - paths: ["live/{env}/dns", "live/{stage}/network"]\n    id: "{env}/{path}"\n    vars: { a: "{stag}" }\n';
    const { problems } = await load(yaml, { modules: MODULES });

    expect(told(problems)).toEqual([
      '3:9 error placeholder-unknown placeholder {env} is not part of the paths',
      '4:16 error placeholder-unknown placeholder {stag} is not part of the paths',
    ]);
    expect(problems[0]?.hint).toContain('Known here: {path}, {stage}.');
  });

  it('fails where a path gives no id', async () => {
    expect(await problemsOf('discover: [{ paths: "." }]')).toEqual([
      '1:21 error field-invalid "{path}" makes no id of the path "."',
    ]);
    expect(await problemsOf('discover: [{ paths: "shared/{name}", id: "{name}-{name}" }]', ['shared/___'])).toEqual([
      '1:42 error field-invalid "{name}-{name}" makes no id of the path "shared/___"',
    ]);
  });

  it('fails where what is filled in makes no sense, at the text it is filled into', async () => {
    const yaml = `
discover:
  - paths: live/{account}/*
    planRole: arn:aws:iam::{account}:role/plan
    secrets: { A: { ssm: "/{account}/x y" } }
`;
    expect(await problemsOf(yaml, ['live/my prod/dns'])).toEqual([
      '3:12 error field-invalid stack "live/my-prod/dns": labels[0]: expected a label without spaces, commas and stars',
      '4:15 error field-invalid stack "live/my-prod/dns": planRole: expected the ARN of a role, such as arn:aws:iam::123456789012:role/holdfast-plan',
      '5:19 error field-invalid stack "live/my-prod/dns": secrets.A.name: expected the name or ARN of a parameter',
    ]);
  });

  it('fails where two paths get one id', async () => {
    expect(await problemsOf('discover: [{ paths: a/* }, { paths: "*/b" }]', ['a/b'])).toEqual([
      '1:37 error name-twice the path "a/b" gets the id "a/b", which is taken (catalogue.yaml:1:21)',
    ]);
    expect(await problemsOf('discover: [{ paths: a/* }]', ['a/x_y', 'a/x-y'])).toEqual([
      '1:21 error name-twice the path "a/x-y" gets the id "a/x-y", which is taken (catalogue.yaml:1:21)',
    ]);
  });
});
