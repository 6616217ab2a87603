import type { Handler, MiddlewareHandler } from 'hono';
import {
  INTAKE_MAX_RATIO,
  INTAKE_MESSAGE_BYTES,
  INTAKE_RECORD_BYTES,
  REPLAY_SEGMENT_BYTES,
} from '../../contract/limits.ts';
import { OWN_INTAKE } from '../../contract/site/site-config.ts';
import { answerTaken } from '../http/answer.ts';
import { HttpError, refuseRegion, refuseUnknownPath } from '../http/errors.ts';
import { limitBody } from '../http/limit-body.ts';
import type { RateLimiter } from '../http/create-rate-limiter.ts';
import { countryOf } from '../learning/area.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { VisitorFacts } from '../recordings/describe-record.ts';
import type { RecordingKeeper } from '../recordings/keep-recordings.ts';
import { readBrowser } from './read-browser.ts';
import { readMessage } from '../recordings/read-message.ts';
import { findPlace } from './find-place.ts';
import { type HoldBody, findSender, readLength } from './create-hold-body.ts';
import { countApiCall } from './limit-rate.ts';
import { type Visit, type VisitEnv, isRestricted } from './visit.ts';

export type IntakeDeps = {
  readonly recordings: Pick<RecordingKeeper, 'take'>;
  readonly intakeLimiter: RateLimiter;
  readonly holdBody: HoldBody;
  readonly metrics: Pick<Metrics, 'countIntake' | 'countRateLimited'>;
};

const REASONS = {
  'message-too-large': `A message has at most ${INTAKE_MESSAGE_BYTES} bytes, unpacked ${INTAKE_MAX_RATIO} times its size; a segment of several events ${REPLAY_SEGMENT_BYTES}, a record ${INTAKE_RECORD_BYTES}.`,
  'message-invalid': 'The message is no session record and no segment, as JSON, plain or gzipped.',
  'session-closed': 'Nothing more is kept of this session: it has sent too much, or it was erased.',
  'intake-full':
    'More messages of this network, or of everyone, wait for the database or to be read than there is room for.',
} as const;

/** The page gives up on 4xx, and tries again on 5xx. */
const STATUSES = {
  'message-too-large': 413,
  'message-invalid': 400,
  'session-closed': 403,
  'intake-full': 503,
} as const;

const RETRY_SECONDS = 5;
/** A message counts once for each started block of this size, so that a limit of messages is one of bytes, too. */
const BLOCK_BYTES = 16_384;

/** Answers as if the path did not exist, where the portal is not its own intake. */
export const hideIntake: MiddlewareHandler<VisitEnv> = (c, next) => {
  if (c.get('visit').site.config.monitoring.intakeUrl !== OWN_INTAKE) refuseUnknownPath();
  return next();
};

/** Takes what a page recorded. */
export function answerIntake(
  deps: IntakeDeps,
): readonly [MiddlewareHandler<VisitEnv>, MiddlewareHandler<VisitEnv>, MiddlewareHandler, Handler<VisitEnv>] {
  const { recordings, intakeLimiter, holdBody, metrics } = deps;
  return [
    (c, next) => {
      const visit = c.get('visit');
      if (isRestricted(visit)) refuseRegion();
      limitBytes(visit, readLength(c.req.header('content-length'), INTAKE_MESSAGE_BYTES));
      return next();
    },
    // Room is taken before the size check, which reads the whole body if its length is not given.
    holdBody({ maxBytes: INTAKE_MESSAGE_BYTES, refuse: () => refuse('intake-full') }),
    limitBody(INTAKE_MESSAGE_BYTES, () => refuse('message-too-large')),
    async (c) => {
      const visit = c.get('visit');
      const body = Buffer.from(await c.req.arrayBuffer());
      const read = readMessage(body);
      if (typeof read === 'string') refuse(read);
      const verdict = recordings.take(read, describeVisitor(visit), findSender(visit));
      if (verdict === 'session-closed') refuse(verdict);
      if (verdict === 'queue-full') refuse('intake-full');
      metrics.countIntake(verdict, body.length);
      return answerTaken(c.get('apiHeaders'));
    },
  ];

  function refuse(code: keyof typeof REASONS): never {
    metrics.countIntake(code);
    const status = STATUSES[code];
    const headers = status === 503 ? { 'Retry-After': String(RETRY_SECONDS) } : {};
    throw new HttpError(status, { code, message: REASONS[code], headers });
  }

  /** Counts the blocks before the body is read, so that one caller cannot hold much. The first block was counted already. */
  function limitBytes(visit: Visit, bytes: number): void {
    for (let block = BLOCK_BYTES; block < bytes; block += BLOCK_BYTES) {
      const verdict = countApiCall(visit, intakeLimiter);
      if (verdict === undefined || verdict.isAllowed) continue;
      metrics.countIntake('rate-limited');
      metrics.countRateLimited();
      throw new HttpError(429, {
        code: 'rate-limited',
        message: `At most ${verdict.limit} messages of ${BLOCK_BYTES} bytes in ${intakeLimiter.windowSeconds} seconds are taken.`,
        headers: { 'Retry-After': String(verdict.resetSeconds) },
      });
    }
  }
}

/** What the server knows of a visitor: where, as the steering counts it, and with which browser. */
function describeVisitor(visit: Visit): VisitorFacts {
  const { caller, header } = visit;
  const { area, visitor } = findPlace(caller, visit);
  return {
    country: countryOf(area) ?? '',
    // The network of our own proxy says nothing about the visitor.
    network: visitor.address === undefined ? '' : area,
    browser: readBrowser(header('user-agent')),
  };
}
