import { describe, expect, it } from 'vitest';
import { createDifferences } from '../../lib/domain/differences.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { classifyPlan, type Entry, planText, summarise, update } from '../support/plan-builder.ts';

const role = 'aws_iam_role.runner';
const before = { path: '/', description: '', tags: {} };
const after = { path: '/app/', description: null, tags: null };

function entry(actions: readonly string[]) {
  const document = readPlanDocument(planText({ changes: [{ address: role, actions, before, after }] }));
  return document.changes.filter(({ address }) => address === role);
}

describe('the differences of a planned change', () => {
  it.each([[['delete', 'create']], [['create', 'delete']]])(
    'take an empty value in another form for noise where the object is made anew: %s',
    (actions) => {
      const [change] = entry(actions).map((planned) => createDifferences().of('planned', planned));
      expect(change?.changes.map(({ path }) => path)).toEqual([['path']]);
      expect(change?.noise).toEqual([
        { path: ['description'], reason: 'empty-flip' },
        { path: ['tags'], reason: 'empty-flip' },
      ]);
    },
  );

  it('keep it in an update, where it can remove something', () => {
    const [change] = entry(['update']).map((planned) => createDifferences().of('planned', planned));
    expect(change?.changes.map(({ path }) => path)).toEqual([['path'], ['description'], ['tags']]);
  });
});

describe('a replacement that drift forces', () => {
  it('is the drift and nothing besides', () => {
    const planned: Entry = { address: role, actions: ['delete', 'create'], before, after, replacePaths: [['path']] };
    const reading = classifyPlan({ drift: [update(role, { ...before, path: '/app/' }, before)], changes: [planned] });
    expect(summarise(reading)).toEqual([`${role} changed-outside drift [path] outside-change`]);
  });
});
