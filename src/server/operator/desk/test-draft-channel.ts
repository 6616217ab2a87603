import * as v from 'valibot';
import { createLimit } from '../../../contract/create-limit.ts';
import { tellFault } from '../../../contract/faults/describe-site-fault.ts';
import type { ChannelAnswer, ChannelTest } from '../../../contract/incidents.ts';
import { type AlertChannel, alertChannel } from '../../../contract/site/alert-settings.ts';
import { findJsonFaults } from '../../../contract/site/find-json-faults.ts';
import type { Desk } from '../../desk/create-desk.ts';
import type { DeskPerson } from '../../desk/create-draft-reader.ts';
import { readObject } from '../../desk/describe-difference.ts';
import { DeskError } from '../../desk/desk-error.ts';
import { HttpError } from '../../http/errors.ts';
import { MessageError } from '../../messages/reach-safely.ts';
import { SITE_FILE } from '../../site/parse-site.ts';
import { refuseTest } from '../incidents/incident-routes.ts';

export type DraftChannelTester = (desk: Desk, person: DeskPerson, name: string) => Promise<ChannelTest>;

/** A test may take 15 seconds, and each holds a connection. */
const MOST_AT_ONCE = 3;

/** Sends tests by channels of drafts, as messages are sent: the same addresses are refused, and nothing is followed. */
export function createDraftChannelTester(
  send: (channel: AlertChannel) => Promise<ChannelAnswer>,
): DraftChannelTester {
  const limit = createLimit(MOST_AT_ONCE, { maxWaiting: 0, refuse: refuseBusy });
  return async (desk, person, name) => {
    const channel = readChannel(await desk.readFile(person, { draft: 'own' }, SITE_FILE), name);
    return limit(async () => ({ answer: await send(channel).catch(refuseWithAnswer) }));
  };
}

/** Reads one channel, so that a fault elsewhere in the draft stops no test. */
function readChannel(bytes: Buffer, name: string): AlertChannel {
  const { index, written } = findWritten(bytes, name);
  const { success, output, issues = [] } = v.safeParse(alertChannel, written);
  if (success) return output;
  const faults = findJsonFaults(alertChannel, issues).map(({ code, values, path }) =>
    tellFault({
      code,
      values,
      place: { file: SITE_FILE, path: ['alerts', 'channels', index, ...path] },
    }),
  );
  throw new DeskError('draft-invalid', { kind: 'has-faults', faults: faults.length }, { faults });
}

function findWritten(bytes: Buffer, name: string): { readonly index: number; readonly written: unknown } {
  // If the file is no object, the check of the draft says so.
  const { alerts } = (readObject(bytes) ?? {}) as { readonly alerts?: { readonly channels?: unknown } };
  const channels: readonly unknown[] = Array.isArray(alerts?.channels) ? alerts.channels : [];
  const index = channels.findIndex((each) => (each as { readonly name?: unknown } | null)?.name === name);
  if (index !== -1) return { index, written: channels[index] };
  throw new HttpError(404, {
    code: 'unknown-channel',
    message: 'No channel of this draft has this name.',
  });
}

/** The words of the other side help who is setting up a channel. */
function refuseWithAnswer(error: unknown): never {
  refuseTest(error, { answer: error instanceof MessageError ? error.answer : undefined });
}

function refuseBusy(): never {
  throw new HttpError(503, {
    code: 'desk-busy',
    message: 'Other tests are under way. Try again in some seconds.',
  });
}
