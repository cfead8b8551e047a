import type { FindingClass, Severity } from './finding.ts';

/**
 * Selects changed places. Patterns are texts in which `*` stands for any run of characters; everything else,
 * brackets and dots too, stands for itself.
 */
export interface Selector {
  readonly stack: string;
  readonly address: string;
  /** A path as findings show it. A rule for one whole resource uses `*`. */
  readonly path: string;
  /** Matches the new value: a string as it is, anything else as compact JSON. */
  readonly value?: string;
  readonly classes?: readonly FindingClass[];
}

/** Takes matching changes out of the findings until it expires. They stay counted and visible. */
export interface IgnoreRule extends Selector {
  readonly owner: string;
  readonly reason: string;
  /** ISO date (the last day it holds, UTC) or `never`. */
  readonly expires: string;
}

export interface SeverityRule extends Selector {
  readonly severity: Severity;
}

/** Says whether a service moves an attribute by itself, such as an autoscaler its desired capacity. */
export interface ServiceOwnedRule {
  /** Pattern over the resource type. */
  readonly type: string;
  readonly path: string;
  readonly owned: boolean;
}

/** What a team has decided about its findings. In every list the first match wins. */
export interface Rules {
  readonly ignore: readonly IgnoreRule[];
  readonly severity: readonly SeverityRule[];
  readonly serviceOwned: readonly ServiceOwnedRule[];
  /** Places whose values may be shown, unless they are sensitive. */
  readonly allowValues: readonly Pick<Selector, 'address' | 'path'>[];
}

export const NO_RULES: Rules = { ignore: [], severity: [], serviceOwned: [], allowValues: [] };

/** What a selector is held against. */
export interface Selectable {
  readonly stack: string;
  readonly address: string;
  readonly path: string;
  readonly value: string;
  readonly class: FindingClass;
}

export function selects(selector: Selector, subject: Selectable): boolean {
  return (
    matchesPattern(selector.stack, subject.stack) &&
    matchesPattern(selector.address, subject.address) &&
    matchesPattern(selector.path, subject.path) &&
    (selector.value === undefined || matchesPattern(selector.value, subject.value)) &&
    (selector.classes === undefined || selector.classes.includes(subject.class))
  );
}

/** True on the day after the last one the rule holds. `today` is an ISO date. */
export function isExpired(rule: IgnoreRule, today: string): boolean {
  return rule.expires !== 'never' && rule.expires < today;
}

/** Matches a text against a pattern with `*`, in time linear in text times stars: no pattern can hang a check. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return pattern === text;
  const last = parts.pop() as string;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
