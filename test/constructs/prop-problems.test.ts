import { Aws, Duration } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import type { HoldfastProps } from '../../lib/constructs/holdfast-props.ts';
import { propProblems } from '../../lib/constructs/prop-problems.ts';

const good: HoldfastProps = { catalogue: { url: 'https://github.com/acme/catalogue' } };
const problems = (over: Partial<HoldfastProps>) => propProblems({ ...good, ...over });
const ofUrl = (url: string) => problems({ catalogue: { url } });

describe('propProblems', () => {
  it('finds nothing wrong with a catalogue alone', () => {
    expect(problems({})).toEqual([]);
  });

  it('finds nothing wrong with props that say everything', () => {
    const props: Omit<HoldfastProps, 'catalogue'> = {
      name: 'drift-2',
      syncInterval: Duration.hours(6),
      planRoles: ['arn:aws:iam::*:role/holdfast-plan', `arn:${Aws.PARTITION}:iam::123456789012:role/team/plan-*`],
      externalId: 'acme:drift',
      architectures: ['amd64', 'arm64'],
      nodeDigest: `sha256:${'0f'.repeat(32)}`,
      maxConcurrency: 200,
      maxConcurrencyPerAccount: 20,
      maxLaunches: 20,
      planRetention: Duration.days(1),
      resultRetention: Duration.days(1),
    };

    expect(problems(props)).toEqual([]);
  });

  it.each([
    'https://git.acme.example:8443/platform/catalogue.git',
    'ssh://git@github.com/acme/catalogue',
    'git@github.com:acme/catalogue.git',
  ])('takes %s for a catalogue', (url) => {
    expect(ofUrl(url)).toEqual([]);
  });

  it('tells everything at once', () => {
    expect(problems({ name: '', maxLaunches: 0 })).toHaveLength(2);
  });

  it.each<[string, Partial<HoldfastProps>]>([
    ['name must be 1 to 32 of a-z, 0-9 and -, beginning with a letter, got "Prod_1"', { name: 'Prod_1' }],
    ['syncInterval must be 1 to 360 whole minutes, got 0.5', { syncInterval: Duration.seconds(30) }],
    ['syncInterval must be 1 to 360 whole minutes, got 1440', { syncInterval: Duration.days(1) }],
    [
      'planRoles must be role ARNs such as "arn:aws:iam::*:role/holdfast-plan", got "holdfast-plan"',
      { planRoles: ['holdfast-plan'] },
    ],
    [
      'planRoles must be role ARNs such as "arn:aws:iam::*:role/holdfast-plan", got "arn:aws:iam::*:role/*"',
      { planRoles: ['arn:aws:iam::*:role/*'] },
    ],
    ['externalId must be 2 to 1224 letters, digits and any of _+=,.@:/-, got "a b"', { externalId: 'a b' }],
    ['maxConcurrency must be a whole number above 0, got 0', { maxConcurrency: 0 }],
    ['maxConcurrencyPerAccount must be a whole number above 0, got -1', { maxConcurrencyPerAccount: -1 }],
    ['maxLaunches must be a whole number above 0, got 2.5', { maxLaunches: 2.5 }],
    ['architectures must name each one once, and at least one, got []', { architectures: [] }],
    [
      'architectures must name each one once, and at least one, got ["arm64","arm64"]',
      { architectures: ['arm64', 'arm64'] },
    ],
    ['nodeDigest must be "sha256:" and 64 hexadecimal digits, got "24"', { nodeDigest: '24' }],
    ['planRetention must be whole days, and at least one, got 0.5', { planRetention: Duration.hours(12) }],
    [
      'planRetention must not be longer than resultRetention',
      { planRetention: Duration.days(9), resultRetention: Duration.days(8) },
    ],
  ])('fails with "%s"', (problem, props) => {
    expect(problems(props)).toEqual([problem]);
  });

  it.each<[string, HoldfastProps['catalogue']]>([
    [
      'catalogue.ref must be a branch, tag or commit, got "--upload-pack=x"',
      { url: good.catalogue.url, ref: '--upload-pack=x' },
    ],
    [
      'catalogue.path must be inside the repository, such as "stacks" or ".", got "../other"',
      { url: good.catalogue.url, path: '../other' },
    ],
    [
      'catalogue.path must be inside the repository, such as "stacks" or ".", got "/stacks"',
      { url: good.catalogue.url, path: '/stacks' },
    ],
  ])('fails with "%s"', (problem, catalogue) => {
    expect(problems({ catalogue })).toEqual([problem]);
  });

  it.each(['catalogue.yaml', 'http://github.com/acme/catalogue', 'file:///catalogue', 'ext::sh -c x'])(
    'fails where the catalogue is at %s',
    (url) => {
      const problem = `catalogue.url must be a Git URL such as "https://github.com/acme/catalogue", got ${JSON.stringify(url)}`;

      expect(ofUrl(url)).toEqual([problem]);
    },
  );

  it.each([
    'https://x-token:geheim@github.com/acme/catalogue',
    'https://geheim@github.com/acme/catalogue',
    'ssh://git:geheim@github.com/acme',
  ])('fails on credentials in a URL without repeating them', (url) => {
    expect(ofUrl(url)).toEqual(['catalogue.url must not hold credentials: name their secret in gitCredentials']);
  });
});
