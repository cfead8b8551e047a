import { type Finding, SEVERITIES, type Standing } from './finding.ts';

/** Findings that are one to a reader: the same thing happened to many resources. */
export interface FindingGroup {
  /** What the members have in common; its address is the first member's. */
  readonly finding: Finding;
  /** At least one, in the order they came. */
  readonly members: readonly Finding[];
}

// A table of three is read at a glance; from four on, a reader wants the pattern.
const MOST_APART = 3;

/**
 * Puts findings with the same class, severity, cause, actions and paths together where there are more than three of
 * them. What alerts comes first, then what waits for a deployment, then the rest; within each the worst first.
 */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  return [...Map.groupBy(findings, likeness).values()]
    .flatMap((members) =>
      members.length > MOST_APART
        ? members.slice(0, 1).map((first) => ({ finding: inCommon(first, members), members }))
        : members.map((finding) => ({ finding, members: [finding] })),
    )
    .sort((left, right) => rank(left.finding) - rank(right.finding));
}

function likeness({ class: findingClass, standing, severity, actions, paths, cause, deposed }: Finding): string {
  // Every move comes from its own address, so that says nothing about likeness.
  const from = cause.kind === 'moved-in-config' ? [] : cause.from;
  const shared = [cause.kind, cause.inferred, from, cause.changed, deposed !== undefined];
  return JSON.stringify([findingClass, standing, severity, actions, paths, ...shared]);
}

function inCommon(first: Finding, members: readonly Finding[]): Finding {
  const { deposed: _ofFirst, values, cause, ...shared } = first;
  const { from, ...rest } = cause;
  return {
    ...shared,
    cause: from !== undefined && agree(members, (member) => member.cause.from) ? { ...rest, from } : rest,
    ...(values !== undefined && agree(members, (member) => member.values) ? { values } : {}),
  };
}

function agree(members: readonly Finding[], part: (member: Finding) => unknown): boolean {
  return new Set(members.map((member) => JSON.stringify(part(member)))).size === 1;
}

const URGENCY: Readonly<Record<Standing, number>> = { drift: 0, check: 0, pending: 1, informational: 2 };

function rank({ standing, severity }: Finding): number {
  return URGENCY[standing] * SEVERITIES.length + SEVERITIES.indexOf(severity);
}
