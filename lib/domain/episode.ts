import type { EventType } from './drift-event.ts';
import type { Severity } from './finding.ts';
import type { ResultSummary } from './run.ts';
import { isAtLeast } from './severity.ts';
import type { AlertSettings } from './stack-spec.ts';
import type { Episode } from './stack-state.ts';

/** A summary of a check that found something to alert about. */
export type AlertingSummary = ResultSummary & { readonly severity: Severity };

export interface EpisodeStep {
  readonly episode: Episode;
  readonly events: readonly EventType[];
}

const REMEMBERED_FINGERPRINTS = 6;

/** The first drifted check of a stack. It is announced at once unless confirming checks are asked for. */
export function openEpisode(summary: AlertingSummary, settings: AlertSettings, id: string, now: Date): EpisodeStep {
  const episode: Episode = {
    id,
    startedAt: now.toISOString(),
    fingerprint: summary.fingerprint,
    severity: summary.severity,
    consecutive: 1,
    announced: false,
    escalated: false,
    lastNotifiedAt: now.toISOString(),
    recentFingerprints: [summary.fingerprint],
    flapping: false,
    absorbed: isAbsorbed(summary),
  };
  return announce(episode, settings, now);
}

/** One more drifted check: tells what is new about it and keeps silent about what is not (DESIGN §6). */
export function continueEpisode(
  before: Episode,
  summary: AlertingSummary,
  settings: AlertSettings,
  now: Date,
): EpisodeStep {
  const recent = [...before.recentFingerprints, summary.fingerprint].slice(-REMEMBERED_FINGERPRINTS);
  const episode: Episode = {
    ...before,
    fingerprint: summary.fingerprint,
    severity: summary.severity,
    consecutive: before.consecutive + 1,
    recentFingerprints: recent,
    flapping: before.flapping || isFlapping(recent),
    absorbed: isAbsorbed(summary),
  };
  if (!before.announced) return announce(episode, settings, now);
  const events = [...whatIsNew(before, episode, settings, now), ...escalation(before, episode, settings)];
  return { episode: settle(episode, events, now), events };
}

function announce(episode: Episode, { confirmChecks }: AlertSettings, now: Date): EpisodeStep {
  if (episode.consecutive < confirmChecks) return { episode, events: [] };
  const announced = { ...episode, announced: true, lastNotifiedAt: now.toISOString() };
  return { episode: announced, events: ['drift.detected'] };
}

function whatIsNew(before: Episode, episode: Episode, { remindEveryMs }: AlertSettings, now: Date): EventType[] {
  if (before.fingerprint !== episode.fingerprint) {
    if (episode.absorbed && !before.absorbed) return ['drift.absorbed'];
    // Named once, when it starts: from then on every change back and forth is no news.
    return before.flapping ? [] : ['drift.changed'];
  }
  const silence = now.getTime() - Date.parse(before.lastNotifiedAt);
  return silence >= remindEveryMs ? ['drift.reminder'] : [];
}

/** Once per episode: it stood for too many checks, or it got worse. */
function escalation(before: Episode, episode: Episode, { escalateAfter }: AlertSettings): EventType[] {
  if (before.escalated) return [];
  const tooLong = escalateAfter !== null && episode.consecutive >= escalateAfter;
  const worse = episode.severity !== before.severity && isAtLeast(episode.severity, before.severity);
  return tooLong || worse ? ['drift.escalated'] : [];
}

function settle(episode: Episode, events: readonly EventType[], now: Date): Episode {
  if (events.length === 0) return episode;
  return {
    ...episode,
    escalated: episode.escalated || events.includes('drift.escalated'),
    lastNotifiedAt: now.toISOString(),
  };
}

function isAbsorbed({ alertClasses }: AlertingSummary): boolean {
  return alertClasses.every((name) => name === 'absorbed');
}

/** A, B, A, B: two things undo each other. */
function isFlapping(recent: readonly string[]): boolean {
  const [a, b, c, d] = recent.slice(-4);
  return d !== undefined && a === c && b === d && a !== b;
}
