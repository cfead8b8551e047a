import type { Finding, Verdict } from './finding.ts';

/**
 * What findings come to. Drift outranks a failing check, and a failing check outranks what is merged but not applied:
 * the first two say that something is wrong now.
 */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const has = (standing: Finding['standing']) => findings.some((finding) => finding.standing === standing);
  if (has('drift')) return has('pending') ? 'drifted-and-pending' : 'drifted';
  if (has('check')) return 'checks-failing';
  return has('pending') ? 'pending' : 'in-sync';
}
