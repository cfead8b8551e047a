import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Invocation, Location, Log, Notification, ReportingDescriptor, Result } from 'sarif';
import { describeClass, describeConsequence, describeLocation, describeWhy } from '../domain/describe.ts';
import type { CheckResult, Finding, FindingClass, Severity } from '../domain/finding.ts';
import { escapeUnsafe } from '../domain/scrub.ts';

export interface SarifOptions {
  /** Version of Holdfast. */
  readonly version: string;
  /** Directory of a stack's root module, relative to the repository. @default - the stack's name */
  readonly directoryOf?: (stack: string) => string;
}

/** The report as SARIF 2.1.0, for code scanning pages: one run, a rule per class and severity, an invocation per stack. */
export function formatSarif(
  results: readonly CheckResult[],
  { version, directoryOf = (stack) => stack }: SarifOptions,
): string {
  const findings = results.flatMap((result) => result.findings);
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Holdfast', semanticVersion: version, rules: rulesFor(findings) } },
        invocations: results.map((result) => invocation(result, directoryOf)),
        results: results.flatMap((result) =>
          result.findings.map((finding) => sarifResult(result.stack, directoryOf(result.stack), finding)),
        ),
      },
    ],
  } satisfies Log;
  return `${JSON.stringify(log, null, 2)}\n`;
}

// GitHub reads these bands: over 9.0 critical, 7.0 to 8.9 high, 4.0 to 6.9 medium, 0.1 to 3.9 low.
const SECURITY_SEVERITY: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.0',
  low: '2.0',
  info: '0.0',
};

/** Code scanning takes severity from the rule alone, so a class has one rule for each severity it came with. */
function ruleId({ class: findingClass, severity }: Finding): string {
  return `${findingClass}/${severity}`;
}

function rulesFor(findings: readonly Finding[]): ReportingDescriptor[] {
  const rules = new Map(findings.map((finding) => [ruleId(finding), rule(finding)]));
  return [...rules.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function rule(finding: Finding): ReportingDescriptor {
  const { class: findingClass, severity } = finding;
  return {
    id: ruleId(finding),
    name: pascalCase(findingClass),
    shortDescription: { text: `${describeClass(findingClass)} (${severity})` },
    properties: { 'security-severity': SECURITY_SEVERITY[severity], tags: ['terraform', 'drift'] },
  };
}

function pascalCase(findingClass: FindingClass): string {
  return findingClass.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}

function sarifResult(stack: string, directory: string, finding: Finding): Result {
  const level = levelOf(finding);
  return {
    ruleId: ruleId(finding),
    kind: level === 'none' ? 'informational' : 'fail',
    level,
    message: { text: messageOf(finding) },
    locations: [
      {
        ...directoryLocation(directory),
        logicalLocations: [{ fullyQualifiedName: escapeUnsafe(finding.address), kind: 'resource' }],
      },
    ],
    // Of all fingerprints, GitHub looks at the one under this name only.
    partialFingerprints: { primaryLocationLineHash: fingerprint(stack, finding) },
    properties: { stack: escapeUnsafe(stack), standing: finding.standing, severity: finding.severity },
  };
}

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note' | 'none'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'none',
};

/** What does not alert is a note at most. */
function levelOf({ standing, severity }: Finding): 'error' | 'warning' | 'note' | 'none' {
  if (standing === 'informational') return 'none';
  return standing === 'pending' && severity !== 'info' ? 'note' : LEVELS[severity];
}

function messageOf(finding: Finding): string {
  const { address, deposed, paths } = finding;
  const name = deposed === undefined ? address : `${address} (deposed object ${deposed})`;
  const changed = paths.length === 0 ? undefined : `changed: ${paths.join(', ')}`;
  const told = [describeClass(finding.class), describeConsequence(finding), changed, describeWhy(finding)];
  return plainMessage(`${name}: ${told.filter((part) => part !== undefined).join('; ')}`);
}

/** A SARIF message takes `[text](target)` for a link (section 3.11.6), and keys of resources are anybody's text. */
function plainMessage(text: string): string {
  return escapeUnsafe(text).replaceAll('](', '] (');
}

function fingerprint(stack: string, { address, deposed, class: findingClass, paths }: Finding): string {
  const identity = JSON.stringify([stack, address, deposed ?? null, findingClass, paths]);
  return createHash('sha256').update(identity).digest('hex');
}

function directoryLocation(directory: string): Location {
  return { physicalLocation: { artifactLocation: { uri: directoryUri(directory) } } };
}

function directoryUri(directory: string): string {
  if (isAbsolute(directory)) return pathToFileURL(directory.toWellFormed()).href;
  return directory.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function invocation(result: CheckResult, directoryOf: (stack: string) => string): Invocation {
  const { failure, verdict, warnings, stack, exitCode, startedAt } = result;
  const location = directoryLocation(directoryOf(stack));
  return {
    executionSuccessful: failure === null && verdict !== 'failed' && verdict !== 'busy',
    ...(exitCode === null ? {} : { exitCode }),
    ...(startedAt === null ? {} : { startTimeUtc: startedAt }),
    toolExecutionNotifications: [
      ...(failure === null ? [] : [notification('error', failure.code, failureText(failure), location)]),
      ...warnings.map(({ code, message }) => notification('warning', code, message, location)),
    ],
    properties: { stack: escapeUnsafe(stack), verdict, complete: result.complete },
  };
}

function failureText({ message, location, hint }: NonNullable<CheckResult['failure']>): string {
  const place = location === undefined ? '' : ` at ${describeLocation(location)}`;
  return `${message}${place}${hint === undefined ? '' : `; ${hint}`}`;
}

function notification(level: 'error' | 'warning', id: string, text: string, location: Location): Notification {
  return { level, descriptor: { id }, message: { text: plainMessage(text) }, locations: [location] };
}
