import * as z from 'zod';
import { FindingClass, Severity } from './result-schema.ts';

const Pattern = z.string().min(1).describe('A text in which * stands for any run of characters.');
const AnyStack = Pattern.default('*').describe('Which stacks, by their id.');
const Classes = z.array(FindingClass).min(1).describe('Only findings of these classes.');

const selector = {
  stack: AnyStack,
  address: Pattern.describe('Which resources, by their address.'),
  path: Pattern.default('*').describe('Which attributes; * also covers the resource as a whole.'),
  value: Pattern.describe('Only where the new value matches.').exactOptional(),
  classes: Classes.exactOptional(),
};

const LAST_DAY = 'expected a date such as 2027-03-31, or never';

const IgnoreRule = z.strictObject({
  ...selector,
  owner: z.string().min(1).describe('Who answers for it.'),
  reason: z.string().min(1).describe('Why it may be ignored.'),
  expires: z
    .union([z.iso.date(LAST_DAY), z.literal('never')], LAST_DAY)
    .describe('The last day it holds (UTC), such as 2027-03-31, or never.'),
});

const SeverityRule = z.strictObject({
  ...selector,
  severity: Severity,
});

const ServiceOwnedRule = z.strictObject({
  type: Pattern.describe('Which resource types.'),
  path: Pattern,
  owned: z.boolean().default(true).describe('false takes an attribute out of the built-in list.'),
});

const AllowValuesRule = z.strictObject({ address: Pattern, path: Pattern });

/** The file behind `--ignore`: what a team has decided about its findings. */
export const RulesFile = z
  .strictObject({
    ignore: z.array(IgnoreRule).default([]),
    severity: z.array(SeverityRule).default([]),
    serviceOwned: z.array(ServiceOwnedRule).default([]),
    allowValues: z.array(AllowValuesRule).default([]).describe('Places whose values may be shown, unless sensitive.'),
  })
  .meta({ title: 'Holdfast rules' });
export type RulesFile = z.infer<typeof RulesFile>;
