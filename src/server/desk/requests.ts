import * as v from 'valibot';
import { DESK_BODIES } from '../../contract/desk/desk.ts';
import { SiteError } from '../site/load-site.ts';
import type { Desk } from './create-desk.ts';
import { DeskError } from './desk-error.ts';
import { type AnswerRequest, askHolder } from './hold-desk.ts';

/** What a command asks the portal that holds the desk. */
const requestSchema = v.strictObject({
  kind: v.literal('rollback'),
  by: v.string(),
  number: DESK_BODIES.restore.entries.number,
  why: DESK_BODIES.restore.entries.why,
});

const answerSchema = v.union([
  v.object({ version: v.object({ number: v.number() }) }),
  v.object({ code: v.string(), message: v.string(), mayBeDone: v.optional(v.boolean(), false) }),
]);

/** What the portal did, or why it did nothing. */
type Answer = v.InferOutput<typeof answerSchema>;

/** Answers the commands of this machine. Whoever can open the socket can write to the data folder, too. */
export function createRequestAnswer(desk: () => Desk | undefined): AnswerRequest {
  return async (text) => {
    try {
      const { by, number, why } = v.parse(requestSchema, JSON.parse(text));
      const open = desk();
      if (open === undefined) throw new DeskError('data-in-use', 'The portal is still starting: try again.');
      const { number: basedOn } = await open.current();
      const version = await open.restore({ name: by, role: 'owner' }, { number, why, basedOn });
      return JSON.stringify({ version });
    } catch (error) {
      return JSON.stringify(describeError(error));
    }
  };
}

/** With all faults of a version that cannot be served any more, one on each line. */
function describeError(error: unknown): Answer {
  if (!(error instanceof DeskError)) return { code: 'unexpected', message: String(error), mayBeDone: true };
  const { cause, code, message, mayBeDone } = error;
  return cause instanceof SiteError
    ? { code: cause.code, message: cause.message, mayBeDone }
    : { code, message, mayBeDone };
}

/** Asks a running portal to bring a version back. Undefined if none is running. */
export async function requestRollback(
  dir: string,
  request: Omit<v.InferOutput<typeof requestSchema>, 'kind'>,
): Promise<Answer | undefined> {
  // A portal that was killed, or hangs, may have read the request.
  const text = await askHolder(dir, JSON.stringify({ kind: 'rollback', ...request })).catch(() => '');
  if (text === undefined) return undefined;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), answerSchema), text);
  if (success) return output;
  return {
    code: 'unexpected',
    message: 'The portal went away without an answer: look at "waypost versions" before you try again.',
    mayBeDone: true,
  };
}
