import { describe, expect, it } from 'vitest';
import { lockedProviders } from '../../lib/domain/provider-lock.ts';

const lock = (hashes: string) => `# This file is maintained automatically.
provider "registry.terraform.io/hashicorp/random" {
  version = "3.6.0"
}

provider "registry.terraform.io/hashicorp/aws" {
  version     = "6.2.0"
  constraints = "~> 6.0"
  hashes = [${hashes}]
}
`;

describe('lockedProviders', () => {
  it('lists address and version, sorted', () => {
    expect(lockedProviders(lock('"h1:a="'))).toEqual([
      'registry.terraform.io/hashicorp/aws 6.2.0',
      'registry.terraform.io/hashicorp/random 3.6.0',
    ]);
  });

  it('says nothing of checksums, which another platform adds to', () => {
    expect(lockedProviders(lock('"h1:a=",\n"zh:b",\n'))).toEqual(lockedProviders(lock('')));
  });

  it('keeps a provider whose version is missing, and skips other blocks', () => {
    expect(lockedProviders('provider "x" {}\nother "y" {\n  version = "1"\n}')).toEqual(['x ']);
  });
});
