import { describe, expect, it } from 'vitest';
import { told, validate } from '../support/catalogue-world.ts';

describe('validateCatalogue', () => {
  it('tells mistakes and lint together, by their places', async () => {
    const yaml = `
stacks:
  - { id: a, source: { path: a }, env: { TOKEN: x } }
  - { id: b, source: { path: b }, routes: [team], dependsOn: [c] }
  - { id: B }
defaults: { schedule: { cron: nonsense } }
`;
    expect(told((await validate(yaml)).problems)).toEqual([
      '3:11 warning no-route nobody hears of drift in a: no route',
      '3:49 warning secret-literal env.TOKEN looks like a secret, and everybody who reads the catalogue can read it',
      '4:63 error dependency-unknown stack "b" depends on "c", which is no stack',
      '5:11 error field-invalid stacks[2].id: expected an id of a-z, 0-9, - and /, up to 128 characters',
      '6:31 error cron-invalid cron expression "nonsense" is not understood: expected five fields',
    ]);
  });

  it('finds nothing wrong where nothing is', async () => {
    const { problems, stacks } = await validate('stacks: [{ id: a, source: { path: a }, routes: [team] }]');

    expect(problems).toEqual([]);
    expect(stacks).toHaveLength(1);
  });
});
