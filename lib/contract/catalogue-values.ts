import * as z from 'zod';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^\d{1,6}[smhd]$/;
const EXPECTED_DURATION = 'expected a duration such as 90s, 30m, 2h or 1d';

/** `90s`, `30m`, `2h`, `1d`; gives milliseconds. */
export function duration({ least, most }: { readonly least: string; readonly most?: string }) {
  return z
    .string(EXPECTED_DURATION)
    .regex(DURATION, EXPECTED_DURATION)
    .transform(toMs)
    .refine((ms) => ms >= toMs(least), `expected ${least} or longer`)
    .refine((ms) => most === undefined || ms <= toMs(most), `expected ${most} or shorter`);
}

function toMs(text: string): number {
  return Number(text.slice(0, -1)) * UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS];
}

/** `{name}`: stands for a part of the path that `discover` found. */
export const PLACEHOLDER = /\{[a-z][a-zA-Z0-9_]*\}/;

/** Says how a text is read: as it stands, or with placeholders that are filled in and checked later. */
export type TextOf = (pattern: RegExp, expected: string) => z.ZodString;

export const exactText: TextOf = (pattern, expected) => z.string(expected).regex(pattern, expected);

export const textWithPlaceholders: TextOf = (pattern, expected) =>
  exactText(new RegExp(`${pattern.source}|${PLACEHOLDER.source}`), expected);

const texts = {
  id: [/^[a-z0-9][a-z0-9\-/]{0,127}$/, 'expected an id of a-z, 0-9, - and /, up to 128 characters'],
  name: [/^[\w.-]{1,64}$/, 'expected a name of letters, digits, ., _ and -'],
  label: [/^[^\s,*]{1,128}$/, 'expected a label without spaces, commas and stars'],
  pattern: [/^\S{1,256}$/, 'expected a text without spaces, in which * stands for any run of characters'],
  // A leading dash would pass for an option of git. Hosts, too, are handed to ssh.
  url: [
    /^(?:https:\/\/\w[\w.-]*(?::\d+)?\/[^\s?#]+|ssh:\/\/(?:\w[\w.-]*@)?\w[\w.-]*(?::\d+)?\/\S+|file:\/\/\/\S+|\w[\w.-]*@\w[\w.-]*:[^:\s-]\S*)$/,
    'expected a Git URL without credentials, such as https://github.com/acme/infrastructure or git@github.com:acme/infrastructure',
  ],
  ref: [/^(?!-)[^\s~^:?*[\\]+$/, 'expected a branch, a tag or a commit'],
  path: [
    /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\]+$/,
    'expected a path relative to the root of the repository, without ".."',
  ],
  varFile: [/^[^/\\][^\\]*$/, 'expected a path relative to the root module'],
  workspace: [/^(?!-)[^\s/\\]{1,90}$/, 'expected the name of a workspace'],
  constraint: [
    /^(?:\s*(?:(?:!=|>=|<=|~>|[=<>])?\s*v?\d+(?:\.\d+){0,2}(?:-[\w.-]+)?|=?\s*v?\d+(?:\.(?:\d+|[xX*])){1,2})\s*(?:,(?!\s*$)|$))+$/,
    'expected version clauses such as "1.11.4", "~> 1.11", ">= 1.5, < 2.0" or "1.9.x"',
  ],
  role: [
    /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/,
    'expected the ARN of a role, such as arn:aws:iam::123456789012:role/holdfast-plan',
  ],
  externalId: [/^[\w+=,.@:/-]{2,1224}$/, 'expected an external id as IAM allows it'],
  region: [/^[a-z]{2}(?:-[a-z]+)+-\d$/, 'expected an AWS region such as eu-west-1'],
  secretId: [/^[\w/+=.@:!-]{1,2048}$/, 'expected the name or ARN of a secret'],
  jsonKey: [/^.{1,256}$/, 'expected a key of the JSON object that the secret holds'],
  parameter: [/^[\w./:-]{1,2048}$/, 'expected the name or ARN of a parameter'],
  line: [/^[^\r\n]{1,256}$/, 'expected one line of text'],
} as const satisfies Record<string, readonly [RegExp, string]>;

/** Texts of the catalogue by what they are. */
export function textsOf(text: TextOf) {
  return (kind: keyof typeof texts): z.ZodString => {
    const [pattern, expected] = texts[kind];
    return text(pattern, expected);
  };
}

// These would change what is run, or lead to the credentials of the runner itself.
const NO_SETTING = '(?!TF_CLI_ARGS|TF_WORKSPACE$|AWS_CONTAINER_|ECS_|HOLDFAST_)';

export const EnvName = exactText(
  new RegExp(`^${NO_SETTING}[A-Za-z_]\\w{0,255}$`),
  'expected the name of an environment variable, and not TF_CLI_ARGS…, TF_WORKSPACE, AWS_CONTAINER_…, ECS_… or HOLDFAST_…',
).describe('Name of an environment variable.');
export const VarName = exactText(/^[A-Za-z_][\w-]{0,255}$/, 'expected the name of a Terraform variable').describe(
  'Name of a Terraform variable.',
);
export const SettingName = exactText(/^[A-Za-z_][\w.]{0,255}$/, 'expected the name of a backend setting').describe(
  'Name of a backend setting.',
);

const QUOTED = 'expected a text: put it in quotes';

/** A text, or a truth value, which becomes one. Numbers must be quoted: 1.10 and 012 would lose what they are. */
export const Scalar = z.union([z.string(), z.boolean().transform(String)], QUOTED);

export const TimeZone = z
  .string('expected a time zone such as Europe/Berlin or UTC')
  .refine(isTimeZone, 'unknown time zone, expected one such as Europe/Berlin or UTC')
  .describe('IANA time zone, such as Europe/Berlin. Default: UTC.');

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
