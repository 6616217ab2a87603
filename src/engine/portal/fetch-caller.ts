import { type CallerAddress, isCallerAddress } from '../../contract/api/caller-address.ts';
import { CALLER_TIMEOUT_MS } from '../../contract/limits.ts';
import { CALLER_PATH } from '../../contract/paths.ts';
import type { Effects } from '../effects/effects.ts';
import { requestJson } from './request-json.ts';

/** Asks the caller's-address service who is calling. Undefined if it is too slow, or its answer cannot be used. */
export async function fetchCaller(
  serviceUrl: string,
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<CallerAddress | undefined> {
  const url = serviceUrl + CALLER_PATH;
  const answer = await requestJson(url, { timeoutMs: CALLER_TIMEOUT_MS, signal }, effects);
  if (!isCallerAddress(answer?.body)) return undefined;
  const { get_ip, key_id } = answer.body;
  // The number may have more digits than JavaScript can hold, so it is passed on as the service wrote it.
  const [, written] = /"key_id"\s*:\s*([^\s,}]+)/.exec(answer.text) ?? [];
  return { get_ip, key_id: written && Number(written) === key_id ? written : key_id };
}
