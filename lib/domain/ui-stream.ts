import { addDiagnostic, type Diagnostics, NO_DIAGNOSTICS, readDiagnostic } from './diagnostic.ts';
import { asObject, isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';

/** Actions as the stream names them: `remove` forgets a resource, which `show -json` calls `forget`. */
export const STREAM_ACTIONS = ['create', 'read', 'update', 'replace', 'delete', 'move', 'import', 'remove'] as const;
export type StreamAction = (typeof STREAM_ACTIONS)[number] | 'other';

/** Terraform's own counts, from `change_summary`. */
export interface ChangeSummary {
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly import: number;
  /** `plan`; also `apply` or `destroy` in streams of those commands. */
  readonly operation: string;
}

/**
 * What the event stream of `plan -json` says, in bounded size and without attribute values. Addresses and summaries
 * carry the user's text: escape them where they are shown.
 */
export interface UiStream {
  /** Absent where the stream does not say what printed it. */
  readonly engine?: { readonly name: 'terraform' | 'tofu'; readonly version: string };
  /** Version of the stream's own format. */
  readonly ui?: string;
  /** Resource instances refreshed so far. */
  readonly refreshed: number;
  /** Resources that changed outside Terraform: how many, and the addresses of the first hundred. */
  readonly drifted: { readonly total: number; readonly addresses: readonly string[] };
  readonly plannedChanges: Readonly<Record<StreamAction, number>>;
  /** Root outputs whose value would change. */
  readonly outputChanges: number;
  readonly summary?: ChangeSummary;
  readonly errors: Diagnostics;
  readonly warnings: Diagnostics;
  /** How many of the warnings only announce a deprecation. */
  readonly deprecations: number;
  /** Events that are neither read nor known to say nothing about the plan, such as `deferred_change`. */
  readonly otherEvents: number;
  /** Lines that are no event, or too long to be read. */
  readonly unparsedLines: number;
}

export function emptyUiStream(): UiStream {
  return {
    refreshed: 0,
    drifted: { total: 0, addresses: [] },
    plannedChanges: { create: 0, read: 0, update: 0, replace: 0, delete: 0, move: 0, import: 0, remove: 0, other: 0 },
    outputChanges: 0,
    errors: NO_DIAGNOSTICS,
    warnings: NO_DIAGNOSTICS,
    deprecations: 0,
    otherEvents: 0,
    unparsedLines: 0,
  };
}

/** Reads a whole saved stream, of Terraform or OpenTofu. */
export function readUiStream(text: string): UiStream {
  return text.split('\n').reduce(readUiEvent, emptyUiStream());
}

/** The stream with one more line. A line that is no event is counted, never an error: wrappers print things too. */
export function readUiEvent(stream: UiStream, line: string): UiStream {
  const text = stripColours(line).trim();
  if (text === '') return stream;
  const event = parseEvent(text);
  if (typeof event?.type !== 'string') return countUnparsedLine(stream);
  const read = READERS.get(event.type);
  if (read !== undefined) return read(stream, event);
  return ROUTINE.test(event.type) ? stream : { ...stream, otherEvents: stream.otherEvents + 1 };
}

/** The stream with one more line that could not be read. */
export function countUnparsedLine(stream: UiStream): UiStream {
  return { ...stream, unparsedLines: stream.unparsedLines + 1 };
}

/**
 * Whether `show -json` can tell more about a plan that succeeded than its stream did.
 *
 * Not after exit code 0 when the stream is whole (it has a summary, and every line was understood) and names no drift,
 * no change, no output and no warning. Drift that the plan leaves alone and failing `check` blocks both come with exit
 * code 0; a failing block is a warning with any summary, so only deprecations are known to be harmless.
 */
export function hasSomethingToShow(stream: UiStream, exitCode: number): boolean {
  const { summary, plannedChanges, warnings, deprecations } = stream;
  if (exitCode !== 0 || summary === undefined) return true;
  return [
    summary.add + summary.change + summary.remove + summary.import,
    stream.drifted.total,
    ...Object.values(plannedChanges),
    stream.outputChanges,
    stream.errors.total,
    warnings.total - deprecations,
    stream.otherEvents,
    stream.unparsedLines,
  ].some((count) => count > 0);
}

type ReadEvent = (stream: UiStream, event: JsonObject) => UiStream;

const READERS: ReadonlyMap<string, ReadEvent> = new Map([
  ['version', readVersion],
  ['refresh_complete', (stream) => ({ ...stream, refreshed: stream.refreshed + 1 })],
  ['resource_drift', readDrift],
  ['planned_change', readPlannedChange],
  ['change_summary', readSummary],
  ['outputs', readOutputs],
  ['diagnostic', addDiagnosticEvent],
]);

// Progress of reading: data sources are "applied" while planning.
const ROUTINE = /^(?:log|output|init_output|refresh_start|(?:apply|provision|ephemeral_op|ephemeral_action)_[a-z]+)$/;

const KEPT_ADDRESSES = 100;

function readVersion(stream: UiStream, event: JsonObject): UiStream {
  const name = typeof event.tofu === 'string' ? 'tofu' : 'terraform';
  const version = event[name];
  return {
    ...stream,
    ...(typeof version === 'string' && { engine: { name, version } }),
    ...(typeof event.ui === 'string' && { ui: event.ui }),
  };
}

function readDrift(stream: UiStream, event: JsonObject): UiStream {
  const { addr } = asObject(asObject(event.change).resource);
  const { total, addresses } = stream.drifted;
  const keep = typeof addr === 'string' && addresses.length < KEPT_ADDRESSES;
  return { ...stream, drifted: { total: total + 1, addresses: keep ? [...addresses, addr] : addresses } };
}

function readPlannedChange(stream: UiStream, event: JsonObject): UiStream {
  const { action } = asObject(event.change);
  const known = STREAM_ACTIONS.find((name) => name === action) ?? 'other';
  const { plannedChanges } = stream;
  return { ...stream, plannedChanges: { ...plannedChanges, [known]: plannedChanges[known] + 1 } };
}

function readSummary(stream: UiStream, event: JsonObject): UiStream {
  const changes = asObject(event.changes);
  const summary = {
    add: countOf(changes.add),
    change: countOf(changes.change),
    remove: countOf(changes.remove),
    import: countOf(changes.import),
    operation: typeof changes.operation === 'string' ? changes.operation : 'plan',
  };
  return { ...stream, summary };
}

// Older streams lack some of the counts.
function countOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function readOutputs(stream: UiStream, event: JsonObject): UiStream {
  const changed = Object.values(asObject(event.outputs)).filter((output) => {
    // Terraform lists every root output, also those that stay; after an apply it lists values and no action.
    const { action } = asObject(output);
    return action !== undefined && action !== 'noop';
  });
  return { ...stream, outputChanges: changed.length };
}

function addDiagnosticEvent(stream: UiStream, event: JsonObject): UiStream {
  const diagnostic = readDiagnostic(event.diagnostic);
  if (diagnostic.severity === 'error') return { ...stream, errors: addDiagnostic(stream.errors, diagnostic) };
  const deprecations = stream.deprecations + (/deprecat/i.test(diagnostic.summary) ? 1 : 0);
  return { ...stream, deprecations, warnings: addDiagnostic(stream.warnings, diagnostic) };
}

function parseEvent(text: string): JsonObject | undefined {
  try {
    const event = parseJson(text);
    return isJsonObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

/** Takes terminal colours out. They never stand inside an event: JSON escapes the escape character. */
export function stripColours(text: string): string {
  return text.includes('\u001b') ? text.replace(COLOURS, '') : text;
}
