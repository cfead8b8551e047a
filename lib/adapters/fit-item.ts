import type { CatalogueEvent, DriftEvent } from '../domain/drift-event.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Failure } from '../domain/finding.ts';
import type { ResultSummary, RunOutcome, TopFinding } from '../domain/run.ts';
import type { StackSpec } from '../domain/stack-spec.ts';
import type { StackState } from '../domain/stack-state.ts';
import { jsonBytes, toJsonText } from './json-text.ts';

// DynamoDB takes 400 KiB an item, names and keys included: 96 for the spec and 256 for the state leave 48 to spare.
const MOST_SPEC_BYTES = 96 * 1024;
const MOST_STATE_BYTES = 256 * 1024;
const MOST_FINDINGS_BYTES = 64 * 1024;

// Every event repeats these. 26 events, which is the most there can be, times 4 KiB for them, 3 for the failure and 1
// for the rest is 208 KiB: without their findings they always fit.
const MOST_NOTICE_BYTES = 4 * 1024;
const MOST_MESSAGE_BYTES = 2 * 1024;
const MOST_NOTE_BYTES = 512;

/** A spec as the text that is stored. Throws `ItemTooLarge`. */
export function specText(spec: StackSpec): string {
  const { id, labels, routes, owner } = spec;
  const text = toJsonText(spec);
  const hint = 'Ignore rules and variables take most of it: give the stack fewer.';
  refuse(`spec of ${id}`, Buffer.byteLength(text), MOST_SPEC_BYTES, hint);
  const noticeHint = 'Every event repeats them: use fewer or shorter ones.';
  refuse(`labels, routes and owner of ${id}`, jsonBytes({ labels, routes, owner }), MOST_NOTICE_BYTES, noticeHint);
  return text;
}

/**
 * A state as it is stored: with failures cut to some 3 KiB, and where it would be over 256 KiB, without the top findings
 * of queued events, oldest first, then without its own. The whole is in the artefact bucket. Throws `ItemTooLarge` where
 * that is not enough, which takes more queued events than a stack may have.
 */
export function fitState(state: StackState): StackState {
  let fitted: StackState = {
    ...state,
    suspended: state.suspended && clip(state.suspended, MOST_NOTE_BYTES),
    lastSummary: state.lastSummary && shortenSummary(state.lastSummary),
    outbox: state.outbox.map((event) => ({ ...event, failure: event.failure && shorten(event.failure) })),
  };
  let bytes = jsonBytes(fitted);
  for (let index = 0; bytes > MOST_STATE_BYTES && index <= fitted.outbox.length; index += 1) {
    if (fitted.outbox[index]?.topFindings.length === 0) continue;
    fitted = withoutFindings(fitted, index);
    bytes = jsonBytes(fitted);
  }
  const hint = `It has ${state.outbox.length} events to publish: look for what keeps them from the topic.`;
  refuse(`state of ${state.stackId}`, bytes, MOST_STATE_BYTES, hint);
  return fitted;
}

/** Without the top findings of one queued event, or after the last one, without those of the summary. */
function withoutFindings(state: StackState, index: number): StackState {
  const { outbox, lastSummary } = state;
  const event = outbox[index];
  if (event !== undefined) return { ...state, outbox: outbox.with(index, { ...event, topFindings: [] }) };
  return { ...state, lastSummary: lastSummary && { ...lastSummary, topFindings: [] } };
}

/** An outcome as it is stored: with its failure cut to some 3 KiB, and as many top findings as 64 KiB hold. */
export function fitOutcome(outcome: RunOutcome): RunOutcome {
  if (outcome.kind === 'lost') return { ...outcome, failure: shorten(outcome.failure) };
  const summary = shortenSummary(outcome.summary);
  return { ...outcome, summary: { ...summary, topFindings: firstThatFit(summary.topFindings) } };
}

/** An event as it is published: with its failure cut like that, and fewer than 80 KiB. SNS takes 256. */
export function fitEvent<Event extends DriftEvent | CatalogueEvent>(event: Event): Event {
  const findings = 'topFindings' in event ? { topFindings: firstThatFit(event.topFindings) } : {};
  return { ...event, ...findings, failure: event.failure && shorten(event.failure) };
}

function shortenSummary(summary: ResultSummary): ResultSummary {
  return { ...summary, failure: summary.failure && shorten(summary.failure) };
}

function firstThatFit(findings: readonly TopFinding[]): readonly TopFinding[] {
  let bytes = 0;
  return findings.filter((finding) => {
    bytes += jsonBytes(finding);
    return bytes <= MOST_FINDINGS_BYTES;
  });
}

function shorten({ message, hint, location, ...failure }: Failure): Failure {
  return {
    ...failure,
    message: clip(message, MOST_MESSAGE_BYTES),
    ...(location && { location: { ...location, file: clip(location.file, MOST_NOTE_BYTES) } }),
    ...(hint !== undefined && { hint: clip(hint, MOST_NOTE_BYTES) }),
  };
}

/** The text, or as much of it as fits with an ellipsis behind; counted as JSON, where some characters take six bytes. */
function clip(text: string, mostBytes: number): string {
  if (jsonBytes(text) <= mostBytes) return text;
  let kept = '';
  let bytes = jsonBytes('…');
  for (const character of text) {
    bytes += jsonBytes(character) - 2;
    if (bytes > mostBytes) break;
    kept += character;
  }
  return `${kept}…`;
}

function refuse(what: string, bytes: number, most: number, hint: string): void {
  if (bytes <= most) return;
  throw new HoldfastError('ItemTooLarge', `${what} takes ${bytes} bytes, expected at most ${most}`, { hint });
}
