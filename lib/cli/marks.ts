import type { Severity, Verdict } from '../domain/finding.ts';
import type { Ink } from './palette.ts';

/** How a verdict looks: what stands before it, and its colour. */
export interface Mark {
  readonly symbol: string;
  readonly ink: Ink;
}

export function markOf({ verdict, complete }: { readonly verdict: Verdict; readonly complete: boolean }): Mark {
  switch (verdict) {
    case 'in-sync':
      return complete ? { symbol: '✓', ink: 'green' } : { symbol: '?', ink: 'yellow' };
    case 'pending':
      return { symbol: '↑', ink: 'cyan' };
    case 'busy':
      return { symbol: '…', ink: 'yellow' };
    case 'failed':
      return { symbol: '✗', ink: 'red' };
    case 'checks-failing':
      return { symbol: '!', ink: 'red' };
    default:
      return { symbol: '≠', ink: 'red' };
  }
}

export const SEVERITY_INK: Readonly<Record<Severity, Ink>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
};
