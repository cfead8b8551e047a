import type { Finding } from './finding.ts';

/**
 * The text whose digest is a fingerprint: the canonical findings, without values, causes or severities. Two checks
 * with the same findings have the same text, in whatever order Terraform listed them; a change of rules or wording does
 * not look like new drift.
 */
export function canonicalFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ address, deposed, class: findingClass, actions, paths }) =>
    JSON.stringify([address, deposed ?? null, findingClass, actions, [...paths].sort()]),
  );
  return lines.sort().join('\n');
}
