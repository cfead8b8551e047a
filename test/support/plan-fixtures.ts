import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const PLANS = join(import.meta.dirname, '../fixtures/plans');
const Summary = z.object({ exit: z.int() });

/** What one real run of Terraform left behind; see `test/fixtures/plans/README.md`. */
export interface PlanFixture {
  /** `show -json`; absent where the plan failed. */
  readonly document: string | undefined;
  /** The stream of `plan -json`. */
  readonly ui: string;
  readonly exitCode: number;
}

export const PLAN_FIXTURES: readonly string[] = readdirSync(PLANS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export function planFixture(name: string): PlanFixture {
  const file = (base: string) => join(PLANS, name, base);
  const { exit } = Summary.parse(JSON.parse(readFileSync(file('summary.json'), 'utf8')));
  return {
    document: existsSync(file('plan.json')) ? readFileSync(file('plan.json'), 'utf8') : undefined,
    ui: readFileSync(file('ui.jsonl'), 'utf8'),
    exitCode: exit,
  };
}

/** The document of a plan that did not fail. */
export function planDocumentOf(name: string): string {
  const { document } = planFixture(name);
  if (document === undefined) throw new Error(`the plan ${name} has no document`);
  return document;
}
