import { parseHcl } from './hcl-body.ts';

/**
 * The providers a `.terraform.lock.hcl` selects, as sorted lines of address and version. Checksums are left out: one
 * more platform in the lock is no upgrade.
 */
export function lockedProviders(lockFile: string): readonly string[] {
  return parseHcl(lockFile)
    .blocks.filter(({ type }) => type === 'provider')
    .map(({ labels, attributes }) => {
      const version = attributes.get('version')?.find(({ kind }) => kind === 'text');
      return `${labels.join(' ')} ${version?.text ?? ''}`;
    })
    .sort();
}
