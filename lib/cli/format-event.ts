import type { DriftEvent } from '../domain/drift-event.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import type { PublishedEvent } from '../ports/event-feed.ts';
import { describeFailure } from './format-stack.ts';
import { describeFindings } from './format-status.ts';
import { SEVERITY_INK } from './marks.ts';
import type { Ink, Paint } from './palette.ts';
import { briefly } from './relative-time.ts';

const TYPE_WIDTH = 'catalogue.invalid'.length;

/** One line per event: when, what, which stack, and the heart of the matter. */
export function formatEvent(event: PublishedEvent, paint: Paint): string {
  const time = paint('dim', new Date(event.at).toISOString().slice(11, 19));
  const type = paint(inkOf(event), event.type.padEnd(TYPE_WIDTH));
  if (event.type === 'catalogue.invalid') return `${time}  ${type}  ${escapeUnsafe(describeFailure(event.failure))}`;
  return `${time}  ${type}  ${paint('bold', escapeUnsafe(event.stackId))}  ${escapeUnsafe(tellDrift(event))}`.trimEnd();
}

function inkOf(event: PublishedEvent): Ink {
  switch (event.type) {
    case 'drift.resolved':
    case 'check.recovered':
      return 'green';
    case 'check.failing':
    case 'check.overdue':
    case 'catalogue.invalid':
      return 'red';
    default:
      return event.severity === null ? 'yellow' : SEVERITY_INK[event.severity];
  }
}

const MOST_ADDRESSES = 2;

/** What has happened, beyond what the type of the event says. */
export function tellDrift(event: DriftEvent): string {
  switch (event.type) {
    case 'drift.resolved':
      return event.episode === null
        ? ''
        : `after ${briefly(Date.parse(event.at) - Date.parse(event.episode.startedAt))}`;
    case 'check.recovered':
    case 'check.overdue':
      return '';
    case 'check.failing':
      return event.failure === null ? '' : describeFailure(event.failure);
    default:
      return tellFindings(event);
  }
}

function tellFindings({ severity, counts, topFindings, episode }: DriftEvent): string {
  const named = topFindings.slice(0, MOST_ADDRESSES).map(({ address }) => address);
  const more = topFindings.length - named.length;
  return [
    severity === null ? '' : `${severity}: `,
    counts === null ? '' : describeFindings({ counts }),
    named.length === 0 ? '' : ` (${named.join(', ')}${more > 0 ? `, +${more} more` : ''})`,
    episode?.flapping === true ? ', flapping' : '',
  ].join('');
}
