import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { StackSpecSchema } from '../../lib/adapters/stack-spec-schema.ts';
import { StackTexts } from '../../lib/contract/catalogue-schema.ts';
import { provenanceOf } from '../../lib/domain/resolved-stack.ts';
import { STACK_ID } from '../../lib/domain/stack-spec.ts';
import { type CatalogueFiles, load } from '../support/catalogue-world.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const role = name.map((text) => `arn:aws:iam::111122223333:role/${text}`);
const seconds = fc.integer({ min: 60, max: 80_000 }).map((count) => `${count}s`);

/** Settings, each there or not. */
const settings = fc.record(
  {
    timeout: seconds,
    planRole: optional(role).map((value) => value ?? null),
    owner: name,
    vars: fc.dictionary(name, fc.oneof(name, fc.integer(), fc.boolean(), fc.constant(null), fc.array(name))),
    env: fc.dictionary(name, name),
    secrets: fc.dictionary(name, fc.record({ ssm: name })),
    varFiles: fc.array(name),
    retry: fc.record({ attempts: fc.integer({ min: 1, max: 10 }), backoff: seconds }, { requiredKeys: [] }),
    schedule: fc.record(
      {
        rate: seconds,
        cron: fc.constantFrom('0 6 * * *', ['0 7 * * *', { expression: '0 8 * * *', timezone: 'Asia/Tokyo' }]),
        timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
        windows: fc.constantFrom([], ['mon-fri 08:00-18:00']),
      },
      { requiredKeys: [] },
    ),
    ignore: fc.array(
      fc.record({
        address: name,
        stack: fc.constantFrom('*', 'a*', 'x/*'),
        owner: name,
        reason: name,
        expires: fc.constantFrom('never', '2030-01-31'),
      }),
      { maxLength: 2 },
    ),
    routes: fc.array(name),
  },
  { requiredKeys: [] },
);

const label = name.map((text) => `l:${text}`);
const distinct = <Value>(values: fc.Arbitrary<Value>, by: (value: Value) => unknown) =>
  fc.uniqueArray(values, { selector: by, maxLength: 5 });

const contexts = (priorities: fc.Arbitrary<number>) =>
  fc
    .tuple(
      distinct(fc.record({ name, priority: priorities }), (context) => context.name),
      fc.array(settings, { minLength: 5, maxLength: 5 }),
      fc.array(fc.record({ labels: fc.array(label, { minLength: 1 }) }), { minLength: 5, maxLength: 5 }),
    )
    .map(([heads, bodies, matches]) =>
      heads.map((head, index) => ({ ...bodies[index], ...head, match: matches[index] })),
    );

const stacks = distinct(
  fc.record({ id: fc.tuple(name, name).map((parts) => parts.join('/')), labels: fc.array(label), body: settings }),
  ({ id }) => id,
).map((all) => all.map(({ id, labels, body }) => ({ ...body, id, labels, source: { path: id } })));

const discover = fc.record({ id: fc.constantFrom('x/{part}', 'x/y-{part}'), body: settings }).map(({ id, body }) => ({
  ...body,
  id,
  paths: 'live/{part}',
  vars: { ...body.vars, part: '{part}' },
}));

const modules = fc.uniqueArray(fc.constantFrom('live/a', 'live/B_1', 'live/c.d', 'other/a'), { minLength: 1 });

const catalogue = (priorities: fc.Arbitrary<number>) =>
  fc.record({ defaults: settings, contexts: contexts(priorities), stacks, discover: discover.map((rule) => [rule]) });

/** The parts of a catalogue, each in a file of its own, named by the order that is asked for. */
function spread(parts: Readonly<Record<string, unknown>>, order: (index: number) => number): CatalogueFiles {
  const pieces = Object.entries(parts).flatMap(([section, value]) =>
    Array.isArray(value) ? value.map((part: unknown) => ({ [section]: [part] })) : [{ [section]: value }],
  );
  return Object.fromEntries(
    pieces.map((piece, index) => [
      `${String(order(index)).padStart(3, '0')}.yaml`,
      stringify(piece, { aliasDuplicateObjects: false }),
    ]),
  );
}

const withoutErrors = async (files: CatalogueFiles, found: readonly string[]) => {
  const { stacks: resolved, problems } = await load(files, { modules: ['live/z', ...found] });
  expect(problems).toEqual([]);
  return resolved;
};

describe('resolving any catalogue', () => {
  it('gives specs that the service understands, whole', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue(fc.integer({ min: -3, max: 3 })), modules, async (parts, found) => {
        for (const { spec } of await withoutErrors(stringify(parts), found)) {
          expect(StackSpecSchema.parse(spec)).toEqual(spec);
          expect(StackTexts.safeParse(spec).success).toBe(true);
          expect(spec.id).toMatch(STACK_ID);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on which file has what, where priorities differ', async () => {
    // Names are unique, so each context gets a priority of its own.
    const parts = catalogue(fc.constant(0)).map((all) => ({
      ...all,
      contexts: all.contexts.map((context) => ({ ...context, priority: 'abcde'.indexOf(context.name) })),
    }));
    await fc.assert(
      fc.asyncProperty(parts, modules, fc.integer({ min: 1, max: 96 }), async (all, found, factor) => {
        const straight = await withoutErrors(
          spread(all, (index) => index),
          found,
        );
        // A permutation of 0 to 96, because 97 is prime.
        const shuffled = await withoutErrors(
          spread(all, (index) => ((index + 1) * factor) % 97),
          found,
        );

        expect(shuffled.map(({ spec }) => spec)).toEqual(straight.map(({ spec }) => spec));
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same for contexts of one priority in whatever order the files are read', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue(fc.constant(0)), modules, async (all, found) => {
        const files = Object.entries(spread(all, (index) => index));
        const forwards = await withoutErrors(Object.fromEntries(files), found);
        const backwards = await withoutErrors(Object.fromEntries(files.toReversed()), found);

        expect(backwards.map(({ spec, contexts: attached }) => [spec, attached])).toEqual(
          forwards.map(({ spec, contexts: attached }) => [spec, attached]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('says of every value where it comes from, and a place for all but what is built in', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue(fc.constant(0)), modules, async (all, found) => {
        for (const stack of await withoutErrors(stringify(all), found)) {
          const provenance = provenanceOf(stack);
          const fields = provenance.map(({ field }) => field);
          const { vars, env, secrets, varFiles, labels, rules } = stack.spec;

          expect(new Set(fields).size).toBe(fields.length);
          expect(fields.filter((field) => /^(?:vars|env|secrets)\./.test(field)).sort()).toEqual(
            [
              ...Object.keys(vars).map((key) => `vars.${key}`),
              ...Object.keys(env).map((key) => `env.${key}`),
              ...Object.keys(secrets).map((key) => `secrets.${key}`),
            ].sort(),
          );
          expect(fields.filter((field) => /^(?:varFiles|labels|ignore)\[/.test(field))).toHaveLength(
            varFiles.length + labels.length + rules.ignore.length,
          );
          for (const { origin, location } of provenance) {
            expect(location === null).toBe(origin.kind === 'built-in');
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
