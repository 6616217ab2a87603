import { type CallerAddress, isCallerAddress } from '../contract/caller-address.ts';
import { CALLER_TIMEOUT_MS } from '../contract/limits.ts';
import { CALLER_PATH } from '../contract/paths.ts';
import type { Effects } from './effects.ts';
import { requestJson } from './request-json.ts';

/** Asks the caller's-address service who is calling. Undefined where it does not say so in time. */
export async function fetchCaller(
  serviceUrl: string,
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<CallerAddress | undefined> {
  const url = serviceUrl + CALLER_PATH;
  const answer = await requestJson(url, { timeoutMs: CALLER_TIMEOUT_MS, signal, cache: 'no-store' }, effects);
  return isCallerAddress(answer?.body) ? answer.body : undefined;
}
