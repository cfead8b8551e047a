import { describe, expect, it } from 'vitest';
import { isProduction } from '../../lib/domain/production.ts';

const stack = (id: string, labels: readonly string[] = [], workspace = 'default') => ({ id, labels, workspace });

describe('isProduction', () => {
  it.each([
    stack('prod/network'),
    stack('eu-prod/network'),
    stack('network/production'),
    stack('network-prd'),
    stack('network', ['environment:prod']),
    stack('network', ['Env=Production']),
    stack('network', ['prod']),
    stack('network', ['folder:live/prod']),
    stack('network', [], 'prod'),
    stack('dev/network', ['stage:prod-eu']),
    stack('network', ['environment:dev', 'env:prod']),
  ])('says so of $id, $labels, $workspace', (candidate) => {
    expect(isProduction(candidate)).toBe(true);
  });

  it.each([
    stack('dev/network'),
    stack('products/network'),
    stack('reproduction'),
    stack('non-prod/network'),
    stack('pre-prod'),
    stack('prod/network', ['environment:test']),
    stack('network', ['environment:nonprod']),
    stack('network', [], 'staging'),
  ])('does not say so of $id, $labels, $workspace', (candidate) => {
    expect(isProduction(candidate)).toBe(false);
  });
});
