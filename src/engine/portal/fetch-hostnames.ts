import type { CallerAddress } from '../../contract/api/caller-address.ts';
import { type Closing, readClosing } from '../../contract/api/closing.ts';
import { REAL_USER_ADDR_HEADER, REAL_USER_ID_HEADER } from '../../contract/api/headers.ts';
import { type HostEntry, readHostList } from '../../contract/api/host-entry.ts';
import { HOSTNAMES_TIMEOUT_MS } from '../../contract/limits.ts';
import { HOSTNAMES_PATH } from '../../contract/paths.ts';
import type { Effects } from '../effects/effects.ts';
import { requestJson } from './request-json.ts';

export type Hostnames =
  | {
      readonly kind: 'listed';
      readonly hosts: readonly HostEntry[];
      /** The headers of the answer, which carry the ticket and the favourite. Undefined if there was no answer. */
      readonly headers: Headers | undefined;
    }
  | { readonly kind: Closing; readonly hosts?: undefined };

/** Asks the portal for lines. A failure gives an empty list, and then the fallback hosts are used. */
export async function fetchHostnames(
  caller: CallerAddress | undefined,
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<Hostnames> {
  const headers: Record<string, string> = caller
    ? { [REAL_USER_ADDR_HEADER]: caller.get_ip, [REAL_USER_ID_HEADER]: String(caller.key_id) }
    : {};
  const request = { timeoutMs: HOSTNAMES_TIMEOUT_MS, signal, headers };
  const answer = await requestJson(HOSTNAMES_PATH, request, effects);
  const closing = answer && readClosing(answer);
  if (closing) return { kind: closing };
  return {
    kind: 'listed',
    hosts: readHostList(answer?.body),
    headers: answer?.headers,
  };
}
