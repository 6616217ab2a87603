import type { Context } from 'hono';
import { findMomentAt } from '../../../contract/moments.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';

/** More digits than a time in ms since 1970 has are a mistake. */
const TIME = /^\d{1,15}$/;

/** Answers what was at the time of the query, such as `?at=1789000000000`, or what is now. */
export async function answerAt(
  c: Context,
  describePast: (at: number) => Promise<object | undefined>,
  answerNow: () => Response | Promise<Response>,
): Promise<Response> {
  const text = c.req.query('at');
  if (text === undefined) return answerNow();
  if (!TIME.test(text)) {
    throw new HttpError(400, {
      code: 'time-invalid',
      message: `at is a time in ms since 1970, such as at=1789000000000, and not "${text.slice(0, 40)}".`,
    });
  }
  const at = findMomentAt(Number(text));
  const answer = await describePast(at);
  if (answer !== undefined) return answerJson(answer);
  throw new HttpError(404, {
    code: 'no-moment',
    message: `Nothing is kept of ${new Date(at).toISOString()}: no portal was running, or it is too long ago.`,
  });
}
