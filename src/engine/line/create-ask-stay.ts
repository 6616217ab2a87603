import type { StayFault } from '../../contract/line/line-fault.ts';
import type { LineReply, AskForBody } from '../../contract/line/line-reply.ts';
import { SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { STAY_SCRIPT_PATH, STAY_WORKER_PATH } from '../../contract/paths.ts';

/** Whether a line has the files that keep its visitors in. */
export type StayState = {
  /** The version of the script. Undefined if the line has none, which is no fault. */
  readonly version: string | undefined;
  readonly faults: readonly StayFault[];
};

/** The version stands in the first line of each file. */
const BANNER = /^\/\* Waypost (\S{1,40}) \*\//;
const BANNER_BYTES = 64;

/** Creates the function that asks a line for the files that keep its visitors in. */
export function createAskStay(request: AskForBody): (address: string) => Promise<StayState> {
  return async (address) => {
    const ask = (path: string): Promise<LineReply> =>
      request(address, { path, timeoutMs: SPEED_CHECK_TIMEOUT_MS, maxBodyBytes: BANNER_BYTES });
    const version = readVersion(await ask(STAY_SCRIPT_PATH));
    return { version, faults: version === undefined ? [] : findWorkerFaults(await ask(STAY_WORKER_PATH)) };
  };
}

function findWorkerFaults(worker: LineReply): readonly StayFault[] {
  if (worker.kind !== 'answer' || readVersion(worker) === undefined) return [{ kind: 'stay-no-worker' }];
  const faults: StayFault[] = [];
  if (worker.headers['service-worker-allowed'] !== '/') faults.push({ kind: 'stay-scope' });
  // Browsers run a worker of no other type.
  if (!/^(?:text|application)\/(?:x-)?javascript\b/.test(worker.headers['content-type'] ?? ''))
    faults.push({ kind: 'stay-type' });
  return faults;
}

/** An application may answer every path with a page of its own, so the status says nothing. */
function readVersion(reply: LineReply): string | undefined {
  return reply.kind === 'answer' && reply.status === 200 ? BANNER.exec(reply.body ?? '')?.[1] : undefined;
}
