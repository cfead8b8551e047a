import {
  type CatalogueContent,
  type Declared,
  type Place,
  type StackSettings,
  settingsOf,
  within,
} from './catalogue-content.ts';
import { type CatalogueProblem, warningAt } from './catalogue-problem.ts';
import type { ResolvedCatalogue } from './catalogue-resolve.ts';
import { formatPath, parsePath } from './path.ts';
import { placeholdersIn, textsIn } from './placeholders.ts';
import { type IgnoreRule, isExpired, type Selector } from './rules.ts';

/** Ignore and severity rules that can never match: of no stack, expired, of no such address or path, or said before. */
export function lintRules(
  content: CatalogueContent,
  { stacks, complete }: ResolvedCatalogue,
  now: Date,
): readonly CatalogueProblem[] {
  const used = new Set<Selector>(stacks.flatMap(({ spec }) => [...spec.rules.ignore, ...spec.rules.severity]));
  const today = now.toISOString().slice(0, 10);
  return settingsOf(content).flatMap((settings) =>
    rulesOf(settings).flatMap(({ rule, place, earlier }) => {
      const why = whyNeverMatches(rule, earlier, today) ?? (complete ? whyNoStack(rule, used) : undefined);
      if (why === undefined) return [];
      const { at, message, hint } = why;
      return warningAt(within(place, ...at), { code: 'rule-never-matches', message, hint });
    }),
  );
}

interface RuleAt {
  readonly rule: Selector | IgnoreRule;
  readonly place: Place;
  /** Those before it in its list. */
  readonly earlier: readonly Selector[];
}

interface Reason {
  readonly at: readonly string[];
  readonly message: string;
  readonly hint: string;
}

function rulesOf({ value, place }: Declared<StackSettings>): readonly RuleAt[] {
  return (['ignore', 'severity'] as const).flatMap((field) =>
    (value[field] ?? []).map((rule, index, all) => ({
      rule,
      place: within(place, field, index),
      earlier: all.slice(0, index),
    })),
  );
}

function whyNeverMatches(rule: Selector | IgnoreRule, earlier: readonly Selector[], today: string): Reason | undefined {
  if ('expires' in rule && isExpired(rule, today)) {
    const hint = 'Delete it, or give it a later date if the reason still holds.';
    return { at: ['expires'], message: `the rule for ${rule.address} expired on ${rule.expires}`, hint };
  }
  if (earlier.some((other) => selectorKey(other) === selectorKey(rule))) {
    return {
      at: [],
      message: `an earlier rule says the same about ${rule.address}`,
      hint: 'The first match counts: delete one.',
    };
  }
  return whyNoAddress(rule) ?? whyNoPath(rule);
}

function selectorKey({ stack, address, path, value, classes }: Selector): string {
  return JSON.stringify([stack, address, path, value, classes]);
}

function whyNoAddress({ address }: Selector): Reason | undefined {
  if (address.includes('*') || address.includes('.')) return undefined;
  const hint = `For all resources of that type write "${address}.*", in modules "*${address}.*".`;
  return { at: ['address'], message: `no resource has the address "${address}"`, hint };
}

/** A path without stars has to be written as findings write it. */
function whyNoPath({ path }: Selector): Reason | undefined {
  if (path.includes('*')) return undefined;
  const parsed = parsePath(path);
  const written = parsed === undefined ? undefined : formatPath(parsed);
  if (written === path) return undefined;
  const hint =
    written === undefined
      ? 'Paths look like ingress[0].cidr_blocks or tags["k8s.io/role"].'
      : `Findings write it as ${written}.`;
  return { at: ['path'], message: `no finding has the path "${path}"`, hint };
}

function whyNoStack(rule: Selector, used: ReadonlySet<Selector>): Reason | undefined {
  if (used.has(rule)) return undefined;
  // Filled in, it is another rule for each stack.
  if ([...textsIn(rule)].some(({ text }) => placeholdersIn(text).length > 0)) return undefined;
  return {
    at: ['stack'],
    message: `no stack fits the rule for ${rule.address}`,
    hint: `Its pattern for stacks is "${rule.stack}".`,
  };
}
