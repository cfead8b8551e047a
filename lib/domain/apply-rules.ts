import type { PathChange } from './diff.ts';
import type { Draft } from './draft.ts';
import type { Severity, Suppressed } from './finding.ts';
import { showJson } from './json.ts';
import { formatPath } from './path.ts';
import { type IgnoreRule, isExpired, type Rules, type Selectable, selects } from './rules.ts';
import { severityOf, worst } from './severity.ts';

export interface Judged extends Draft {
  readonly severity: Severity;
}

export interface RuledDrafts {
  readonly kept: readonly Judged[];
  readonly suppressed: readonly Suppressed[];
}

/**
 * Applies ignore rules place by place and gives each finding its severity. A finding goes only when every place of it
 * is ignored: one ignored tag never hides the attribute that changed beside it (field case C5).
 */
export function applyRules(stack: string, drafts: readonly Draft[], rules: Rules, today: string): RuledDrafts {
  const ignore = rules.ignore.filter((rule) => !isExpired(rule, today));
  const kept: Judged[] = [];
  const suppressed: Suppressed[] = [];
  for (const draft of drafts) {
    const places = placesOf(draft);
    const byRule = Map.groupBy(places, (place) =>
      ignore.find((rule) => selects(rule, selectable(stack, draft, place))),
    );
    for (const [rule, ignored] of byRule) {
      const part = { ...draft, changes: ignored.filter((place) => place !== undefined) };
      const severity = judge(stack, part, rules);
      if (rule === undefined) kept.push({ ...part, severity });
      else suppressed.push(suppress(part, severity, rule));
    }
  }
  return { kept, suppressed };
}

/** The changed places of a draft; the whole resource counts as one place, written `undefined`. */
function placesOf(draft: Draft): readonly (PathChange | undefined)[] {
  return draft.changes.length === 0 ? [undefined] : draft.changes;
}

function selectable(stack: string, draft: Draft, place: PathChange | undefined): Selectable {
  const { address, class: findingClass } = draft;
  if (place === undefined) return { stack, address, path: '', value: '', class: findingClass };
  const value = typeof place.after === 'string' ? place.after : showJson(place.after);
  return { stack, address, path: formatPath(place.path), value, class: findingClass };
}

function judge(stack: string, draft: Draft, rules: Rules): Severity {
  return worst(
    placesOf(draft).map((place) =>
      severityOf(rules.severity, draft.type, selectable(stack, draft, place), draft.severity),
    ),
  );
}

function suppress(draft: Draft, severity: Severity, { owner, reason, expires }: IgnoreRule): Suppressed {
  return {
    address: draft.address,
    class: draft.class,
    severity,
    paths: draft.changes.map(({ path }) => formatPath(path)),
    rule: { owner, reason, expires },
  };
}
