import type { StackSettings } from './catalogue-content.ts';
import { readEnvironment } from './catalogue-environment.ts';
import { createFieldReader, type FieldReader, type FieldSource } from './catalogue-fields.ts';
import type { StackDraft, StackLayers } from './catalogue-layers.ts';
import { readTiming } from './catalogue-timing.ts';
import { matchesPattern, type Rules, type Selector } from './rules.ts';
import { sameRepository } from './same-repository.ts';
import type { AlertSettings, StackSpec, TaskSize } from './stack-spec.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The repository that holds the catalogue: where stacks are unless they say otherwise. */
export interface CatalogueRepository {
  readonly url: string;
  readonly ref: string;
}

export interface BuiltSpec {
  readonly spec: StackSpec;
  readonly sources: readonly FieldSource[];
}

/** Puts a stack's settings together. */
export function buildSpec(
  draft: StackDraft,
  { layers, labels }: StackLayers,
  repository: CatalogueRepository,
): BuiltSpec {
  const reader = createFieldReader(layers);
  const { value, map, list, members } = reader;
  reader.note('id', draft.origin, draft.place);
  const spec: StackSpec = {
    id: draft.id,
    source: readSource(reader, draft, repository),
    engine: {
      name: value(['engine', 'name'], ({ engine }) => engine?.name, 'terraform'),
      constraint: value(['engine', 'version'], ({ engine }) => engine?.version, null),
    },
    workspace: value(['workspace'], ({ workspace }) => workspace, 'default'),
    backendConfig: map('backendConfig', ({ backendConfig }) => backendConfig),
    vars: map('vars', ({ vars }) => vars),
    varFiles: list('varFiles', ({ varFiles }) => varFiles),
    ...readEnvironment(reader, layers),
    region: value(['region'], ({ region }) => region, null),
    planRole: value(['planRole'], ({ planRole }) => planRole, null),
    applyRole: value(['applyRole'], ({ applyRole }) => applyRole, null),
    externalId: value(['externalId'], ({ externalId }) => externalId, null),
    labels: members('labels', labels),
    timing: readTiming(reader),
    timeoutMs: value(['timeout'], ({ timeout }) => timeout, 30 * MINUTE_MS),
    retry: {
      attempts: value(['retry', 'attempts'], ({ retry }) => retry?.attempts, 3),
      backoffMs: value(['retry', 'backoff'], ({ retry }) => retry?.backoff, MINUTE_MS),
    },
    task: readTask(reader),
    dependsOn: members('dependsOn', draft.dependsOn),
    remediation: { mode: value(['remediation', 'mode'], ({ remediation }) => remediation?.mode, 'alert') },
    approval: readApproval(reader),
    rules: readRules(reader, draft.id),
    alerts: readAlerts(reader),
    routes: value(['routes'], ({ routes }) => routes, []),
    suspended: value(['suspend'], ({ suspend }) => suspend, null),
    owner: value(['owner'], ({ owner }) => owner, null),
  };
  return { spec, sources: reader.sources };
}

/** Where root modules are by some settings, the weakest first. Other repositories are read at their HEAD. */
export function repositoryOf(
  settings: readonly { readonly value: StackSettings }[],
  own: CatalogueRepository,
): CatalogueRepository {
  const url = settings.flatMap(({ value }) => value.source?.url ?? []).at(-1) ?? own.url;
  const ref = settings.flatMap(({ value }) => value.source?.ref ?? []).at(-1) ?? defaultRef(url, own);
  return { url, ref };
}

function defaultRef(url: string, own: CatalogueRepository): string {
  return sameRepository(url, own.url) ? own.ref : 'HEAD';
}

function readSource(reader: FieldReader, draft: StackDraft, own: CatalogueRepository): StackSpec['source'] {
  const url = reader.value(['source', 'url'], ({ source }) => source?.url, own.url);
  const ref = reader.value(
    ['source', 'ref'],
    ({ source }) => source?.ref,
    sameRepository(url, own.url) ? own.ref : 'HEAD',
  );
  const { value: path, origin, place } = draft.path;
  reader.note('source.path', origin, place);
  return {
    url,
    ref,
    path:
      path
        .split('/')
        .filter((name) => name !== '' && name !== '.')
        .join('/') || '.',
  };
}

function readTask({ value }: FieldReader): TaskSize {
  return {
    cpu: value(['task', 'cpu'], ({ task }) => task?.cpu, 1024),
    memoryMiB: value(['task', 'memory'], ({ task }) => task?.memory, 2048),
    arch: value(['task', 'arch'], ({ task }) => task?.arch, 'arm64'),
  };
}

function readApproval({ value }: FieldReader): StackSpec['approval'] {
  return {
    required: value(['approval', 'required'], ({ approval }) => approval?.required, 1),
    approvers: value(['approval', 'approvers'], ({ approval }) => approval?.approvers, []),
    expiresMs: value(['approval', 'expires'], ({ approval }) => approval?.expires, DAY_MS),
  };
}

function readAlerts({ value }: FieldReader): AlertSettings {
  return {
    confirmChecks: value(['alerts', 'confirmChecks'], ({ alerts }) => alerts?.confirmChecks, 1),
    failureStreak: value(['alerts', 'failureStreak'], ({ alerts }) => alerts?.failureStreak, 3),
    remindEveryMs: value(['alerts', 'remindEvery'], ({ alerts }) => alerts?.remindEvery, DAY_MS),
    escalateAfter: value(['alerts', 'escalateAfter'], ({ alerts }) => alerts?.escalateAfter, null),
  };
}

/** In rules the first match counts, so what a stack says itself stands first. Rules about other stacks are left out. */
function readRules({ rules }: FieldReader, stackId: string): Rules {
  const isAbout = ({ stack }: Selector) => matchesPattern(stack, stackId);
  return {
    ignore: rules('ignore', ({ ignore }) => ignore, isAbout),
    severity: rules('severity', ({ severity }) => severity, isAbout),
    serviceOwned: rules(
      'serviceOwned',
      ({ serviceOwned }) => serviceOwned,
      () => true,
    ),
    allowValues: rules(
      'allowValues',
      ({ allowValues }) => allowValues,
      () => true,
    ),
  };
}
