import * as v from 'valibot';
import { DESK_BODIES, type DeskVersion } from '../../contract/desk/desk.ts';
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
  v.object({ message: v.string() }),
]);

/** Answers the commands of this machine. Whoever can open the socket can write to the data folder, too. */
export function createRequestAnswer(desk: () => Desk | undefined): AnswerRequest {
  return async (text) => {
    try {
      const { by, number, why } = v.parse(requestSchema, JSON.parse(text));
      const open = desk();
      if (open === undefined) return JSON.stringify({ message: 'the portal is still starting: try again' });
      const { number: basedOn } = await open.current();
      const version = await open.restore({ name: by, role: 'owner' }, { number, why, basedOn });
      return JSON.stringify({ version });
    } catch (error) {
      return JSON.stringify({ message: error instanceof Error ? error.message : String(error) });
    }
  };
}

/** Asks a running portal to bring a version back. Undefined if none is running. */
export async function requestRollback(
  dir: string,
  request: Omit<v.InferOutput<typeof requestSchema>, 'kind'>,
): Promise<Pick<DeskVersion, 'number'> | undefined> {
  const text = await askHolder(dir, JSON.stringify({ kind: 'rollback', ...request }));
  if (text === undefined) return undefined;
  const answer = v.parse(answerSchema, JSON.parse(text));
  if ('version' in answer) return answer.version;
  throw new DeskError('unknown-version', answer.message);
}
