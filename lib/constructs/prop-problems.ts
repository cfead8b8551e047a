import { type Duration, Token } from 'aws-cdk-lib';
import { gitHost } from './git-host.ts';
import type { CatalogueLocation, HoldfastProps } from './holdfast-props.ts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const GIT_REF = /^[^\s-]\S*$/;
const HOST = /^[a-z0-9.-]+(:\d+)?$/;
const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;
const ROLE_ARN = /^arn:[a-z-]+:iam::(?:\d{12}|\*):role\/(?!\*$)\S+$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MINUTE = 60_000;
const SYNC_MINUTES = { from: 1, to: 360 };

/** Everything that is wrong with the props, so that one synth tells all; empty where nothing is. */
export function propProblems(props: HoldfastProps): string[] {
  return [
    ...nameProblems(props),
    ...catalogueProblems(props.catalogue),
    ...accessProblems(props),
    ...limitProblems(props),
    ...imageProblems(props),
    ...timeProblems(props),
  ];
}

const unless = (fine: boolean, problem: string): string[] => (fine ? [] : [problem]);
const shown = (value: unknown): string => JSON.stringify(value);

function nameProblems({ name }: HoldfastProps): string[] {
  return unless(
    name === undefined || NAME.test(name),
    `name must be 1 to 32 of a-z, 0-9 and -, beginning with a letter, got ${shown(name)}`,
  );
}

function catalogueProblems({ url, ref, path }: CatalogueLocation): string[] {
  return [
    ...urlProblems(url),
    ...unless(
      ref === undefined || GIT_REF.test(ref),
      `catalogue.ref must be a branch, tag or commit, got ${shown(ref)}`,
    ),
    ...unless(
      path === undefined || (path !== '' && !path.startsWith('/') && !path.split('/').includes('..')),
      `catalogue.path must be inside the repository, such as "stacks" or ".", got ${shown(path)}`,
    ),
  ];
}

function urlProblems(url: string): string[] {
  const found = gitHost(url);
  // The URL itself stays out of this message: it holds a secret.
  if (found?.hasCredentials) return ['catalogue.url must not hold credentials: name their secret in gitCredentials'];
  return unless(
    found !== undefined,
    `catalogue.url must be a Git URL such as "https://github.com/acme/catalogue", got ${shown(url)}`,
  );
}

function accessProblems({ planRoles = [], externalId, gitCredentials = {} }: HoldfastProps): string[] {
  const readable = (arn: string) => Token.isUnresolved(arn) || ROLE_ARN.test(arn);
  return [
    ...planRoles
      .filter((arn) => !readable(arn))
      .map((arn) => `planRoles must be role ARNs such as "arn:aws:iam::*:role/holdfast-plan", got ${shown(arn)}`),
    ...unless(
      externalId === undefined || Token.isUnresolved(externalId) || EXTERNAL_ID.test(externalId),
      `externalId must be 2 to 1224 letters, digits and any of _+=,.@:/-, got ${shown(externalId)}`,
    ),
    ...Object.keys(gitCredentials)
      .filter((host) => !HOST.test(host))
      .map((host) => `gitCredentials must be by host, such as "github.com", got ${shown(host)}`),
  ];
}

function limitProblems({ architectures, ...props }: HoldfastProps): string[] {
  const positive = (name: 'maxConcurrency' | 'maxConcurrencyPerAccount' | 'maxLaunches', value = props[name]) =>
    unless(
      value === undefined || (Number.isInteger(value) && value > 0),
      `${name} must be a whole number above 0, got ${shown(value)}`,
    );
  return [
    ...positive('maxConcurrency'),
    ...positive('maxConcurrencyPerAccount'),
    ...positive('maxLaunches'),
    ...unless(
      architectures === undefined || (architectures.length > 0 && new Set(architectures).size === architectures.length),
      `architectures must name each one once, and at least one, got ${shown(architectures)}`,
    ),
  ];
}

function imageProblems({ nodeDigest }: HoldfastProps): string[] {
  return unless(
    nodeDigest === undefined || DIGEST.test(nodeDigest),
    `nodeDigest must be "sha256:" and 64 hexadecimal digits, got ${shown(nodeDigest)}`,
  );
}

function timeProblems({ syncInterval, planRetention, resultRetention }: HoldfastProps): string[] {
  const minutes = syncInterval && syncInterval.toMilliseconds() / MINUTE;
  const { from, to } = SYNC_MINUTES;
  return [
    ...unless(
      minutes === undefined || (Number.isInteger(minutes) && minutes >= from && minutes <= to),
      `syncInterval must be ${from} to ${to} whole minutes, got ${minutes}`,
    ),
    ...daysProblems('planRetention', planRetention),
    ...daysProblems('resultRetention', resultRetention),
    ...unless(
      !planRetention || !resultRetention || planRetention.toMilliseconds() <= resultRetention.toMilliseconds(),
      'planRetention must not be longer than resultRetention',
    ),
  ];
}

/** S3 deletes by the day. */
function daysProblems(name: string, duration: Duration | undefined): string[] {
  const days = duration && duration.toMilliseconds() / (24 * 60 * MINUTE);
  return unless(
    days === undefined || (Number.isInteger(days) && days >= 1),
    `${name} must be whole days, and at least one, got ${days}`,
  );
}
