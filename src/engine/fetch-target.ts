import * as v from 'valibot';
import { JSON_TIMEOUT_MS } from '../contract/limits.ts';
import { targetFilePath } from '../contract/paths.ts';
import { RESTRICTED_STATUS } from '../contract/restricted-status.ts';
import { targetFileSchema } from '../contract/target-file.ts';
import type { Effects } from './effects.ts';
import { requestJson } from './request-json.ts';

export type TargetHosts =
  | { readonly kind: 'listed'; readonly hosts: readonly string[] }
  | { readonly kind: 'restricted' }
  /** The file is missing, broken or empty. */
  | { readonly kind: 'failed' };

/** Asks for the host names of a `/t` target, in the order of its file. */
export async function fetchTarget(
  target: string,
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<TargetHosts> {
  const answer = await requestJson(targetFilePath(target), { timeoutMs: JSON_TIMEOUT_MS, signal }, effects);
  if (answer?.status === RESTRICTED_STATUS) return { kind: 'restricted' };
  if (answer?.status !== 200 || !v.is(targetFileSchema, answer.body)) return { kind: 'failed' };
  const hosts = Object.values(answer.body);
  return hosts.length > 0 ? { kind: 'listed', hosts } : { kind: 'failed' };
}
