import { showJson } from '../domain/json.ts';
import type { Schedule, SecretReference, StackSpec, TimeSpan, Timing } from '../domain/stack-spec.ts';
import { exactly } from './relative-time.ts';

/** One line of a spec: what it is called in the catalogue, and its value. Lines that say nothing are left out. */
export interface SpecField {
  readonly field: string;
  readonly value: string;
}

/** A stack's specification in words, in the order people ask for it. Values of variables are shown, secrets never. */
export function describeSpec(spec: StackSpec): readonly SpecField[] {
  const { source, engine, timing, retry, task, remediation, rules } = spec;
  const fields: readonly (readonly [string, string])[] = [
    ['source', `${source.url} ${source.ref}${source.path === '.' ? '' : ` ${source.path}`}`],
    ['engine', [engine.name, engine.constraint ?? ''].join(' ').trim()],
    ['workspace', spec.workspace === 'default' ? '' : spec.workspace],
    ['backendConfig', pairs(spec.backendConfig)],
    ['vars', pairs(Object.fromEntries(Object.entries(spec.vars).map(([name, value]) => [name, showJson(value)])))],
    ['varFiles', spec.varFiles.join(', ')],
    ['env', pairs(spec.env)],
    ['secrets', secrets(spec.secrets)],
    ['region', spec.region ?? ''],
    ['planRole', spec.planRole ?? ''],
    ['applyRole', spec.applyRole ?? ''],
    ['schedule', describeTiming(timing)],
    ['timeout', exactly(spec.timeoutMs)],
    ['retry', `${retry.attempts} ${retry.attempts === 1 ? 'attempt' : 'attempts'}, ${exactly(retry.backoffMs)} apart`],
    ['task', `${task.cpu} CPU units, ${task.memoryMiB} MiB, ${task.arch}`],
    ['dependsOn', spec.dependsOn.join(', ')],
    ['remediation', remediation.mode],
    ['ignore', rules.ignore.map(({ address, path, expires }) => `${address} ${path} until ${expires}`).join(', ')],
    ['routes', spec.routes.join(', ')],
    ['labels', spec.labels.join(', ')],
    ['owner', spec.owner ?? ''],
  ];
  return fields.flatMap(([field, value]) => (value === '' ? [] : { field, value }));
}

function pairs(record: Readonly<Record<string, string>>): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function secrets(references: Readonly<Record<string, SecretReference>>): string {
  return Object.entries(references)
    .map(([name, reference]) => `${name} from ${reference.kind === 'ssm' ? reference.name : reference.id}`)
    .join(', ');
}

/** `every 60m; only mon, tue 08:00-18:00 Europe/Berlin; not sat, sun`. */
export function describeTiming({ schedules, jitterMs, windows, blackouts }: Timing): string {
  const when = schedules.length === 0 ? 'never' : schedules.map(describeSchedule).join(' and ');
  return [
    jitterMs === 0 ? when : `${when}, up to ${exactly(jitterMs)} later`,
    windows.length === 0 ? '' : `only ${windows.map(describeSpan).join(' or ')}`,
    blackouts.length === 0 ? '' : `not ${blackouts.map(describeSpan).join(' or ')}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function describeSchedule(schedule: Schedule): string {
  if (schedule.kind === 'rate') return `every ${exactly(schedule.everyMs)}`;
  return `at ${schedule.expression} (${schedule.timezone})`;
}

function describeSpan({ days, from, to, timezone }: TimeSpan): string {
  return `${days.length === 0 ? 'daily' : days.join(', ')} ${from}-${to} ${timezone}`;
}
