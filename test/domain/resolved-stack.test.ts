import { describe, expect, it } from 'vitest';
import { describeProvenance, placeOfField, provenanceOf } from '../../lib/domain/resolved-stack.ts';
import { stackOf } from '../support/catalogue-world.ts';

const FILES = {
  'defaults.yaml': 'defaults:\n  timeout: 1m\n  vars: { a: 1, b: 1 }\n  labels: [everywhere]\n',
  'contexts.yaml': `contexts:
  - name: production
    match: { labels: ["environment:prod"] }
    vars: { b: 2 }
    env: { LEVEL: info }
    ignore: [{ address: x.y, owner: me, reason: known, expires: never }]
`,
  'stacks.yaml': `discover:
  - paths: live/{environment}/dns
    owner: found
stacks:
  - id: live/prod/dns
    routes: [team]
    schedule: { rate: 5m }
`,
};
const stack = () => stackOf(FILES, 'live/prod/dns', { modules: ['live/prod/dns'] });

describe('provenanceOf', () => {
  it('says of each field who gives it, in which file and where', async () => {
    const found = Object.fromEntries(
      provenanceOf(await stack()).map((provenance) => [provenance.field, describeProvenance(provenance)]),
    );

    expect(found).toMatchObject({
      id: 'discover, stacks.yaml:2',
      'source.url': 'built in',
      'source.path': 'discover, stacks.yaml:2',
      timeout: 'defaults, defaults.yaml:2',
      'vars.a': 'defaults, defaults.yaml:3',
      'vars.b': 'context production, contexts.yaml:4',
      'env.LEVEL': 'context production, contexts.yaml:5',
      'ignore[0]': 'context production, contexts.yaml:6',
      'labels[0]': 'defaults, defaults.yaml:4',
      'labels[1]': 'discover, stacks.yaml:2',
      owner: 'discover, stacks.yaml:3',
      routes: 'stack, stacks.yaml:6',
      schedule: 'stack, stacks.yaml:7',
      'schedule.jitter': 'built in',
      region: 'built in',
    });
  });

  it('is plain data', async () => {
    const provenance = provenanceOf(await stack());

    expect(JSON.parse(JSON.stringify(provenance))).toEqual(provenance);
    expect(provenance.find(({ field }) => field === 'owner')).toEqual({
      field: 'owner',
      origin: { kind: 'discover' },
      location: { file: 'stacks.yaml', line: 3, column: 12 },
    });
  });

  it('does without a line where there is none', () => {
    expect(describeProvenance({ origin: { kind: 'stack' }, location: { file: 'a.yaml' } })).toBe('stack, a.yaml');
  });
});

describe('placeOfField', () => {
  it('finds the first that is written down, or else the stack', async () => {
    const resolved = await stack();

    expect(placeOfField(resolved, 'region', 'routes', 'owner').path).toEqual(['stacks', 0, 'routes']);
    expect(placeOfField(resolved, 'region', 'unheard-of')).toBe(resolved.place);
  });
});
