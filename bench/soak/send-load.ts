import { type VisitMessage, type Visitors, sendVisits } from '../../e2e/support/send-visits.ts';
import type { Segment } from '../../src/contract/intake-message.ts';
import { EVENTS_PATH, INTAKE_PATH } from '../../src/contract/paths.ts';
import type { VisitEvents } from '../../src/contract/visit-events.ts';

/** Sixty visits a second. */
const VISITORS = 60;
const EVERY_MS = 1_000;
/** One visit of a hundred is recorded. */
const RECORDED_EVERY = 100;
const SEGMENT_CHARACTERS = 20_000;

const EVENTS: VisitEvents = {
  device: 'mobile',
  language: 'zh-CN',
  referrer: '',
  steps: ['page_view', 'links_loaded', 'first_row', 'entered'],
  events: {},
  lines: {},
};

/** Visits as pages make them: five calls, the report among them, then what the page counted, and now and then a recording. */
export function sendLoad(url: string, ca: string): Visitors {
  return sendVisits(url, { ca, visitors: VISITORS, everyMs: EVERY_MS, messages: listMessages });
}

/** How many of these visits were recorded. */
export function countRecorded(visits: number): number {
  return Math.floor(visits / RECORDED_EVERY);
}

function listMessages(visit: number): readonly VisitMessage[] {
  const counts = { path: EVENTS_PATH, body: JSON.stringify(EVENTS) };
  if (visit % RECORDED_EVERY !== 0) return [counts];
  return [counts, { path: INTAKE_PATH, body: JSON.stringify(createSegment(visit)) }];
}

function createSegment(visit: number): Segment {
  const id = visit.toString(16).padStart(32, '0');
  const data = { text: 'x'.repeat(SEGMENT_CHARACTERS) };
  return {
    kind: 'segment',
    session: id,
    view: id,
    number: 1,
    events: [{ type: 3, timestamp: Date.now(), data }],
  };
}
