import { describe, expect, it } from 'vitest';
import { sameRepository } from '../../lib/domain/same-repository.ts';

describe('sameRepository', () => {
  it.each([
    ['https://github.com/acme/infra', 'https://github.com/acme/infra.git'],
    ['https://github.com/acme/infra/', 'https://GitHub.com/acme/infra'],
    ['git@github.com:acme/infra.git', 'https://github.com/acme/infra'],
    ['ssh://git@github.com/acme/infra', 'git@github.com:acme/infra.git'],
    ['ssh://git@git.example.com:7999/a/b.git', 'https://git.example.com/a/b'],
    ['file:///srv/infra', 'file:///srv/infra/'],
  ])('takes %s and %s for one', (left, right) => {
    expect(sameRepository(left, right)).toBe(true);
  });

  it.each([
    ['https://github.com/acme/infra', 'https://github.com/acme/infra2'],
    ['https://github.com/acme/infra', 'https://gitlab.com/acme/infra'],
    ['https://github.com/acme/infra', 'https://github.com/Acme/infra'],
    ['file:///srv/a', 'file:///srv/b'],
  ])('tells %s from %s', (left, right) => {
    expect(sameRepository(left, right)).toBe(false);
  });
});
