import { JSON_TIMEOUT_MS } from '../../contract/limits.ts';
import { targetFilePath } from '../../contract/paths.ts';
import { type Closing, readClosing } from '../../contract/api/closing.ts';
import { readTargetFile } from '../../contract/site/target-file.ts';
import type { Effects } from '../effects/effects.ts';
import { requestJson } from './request-json.ts';

export type TargetHosts =
  /** The values of the file. Some may be no host names. */
  | { readonly kind: 'listed'; readonly hosts: readonly unknown[] }
  | { readonly kind: Closing }
  /** The file is missing, broken or empty. */
  | { readonly kind: 'failed' };

/** Asks for the host names of a `/t` target, in the order of its file. */
export async function fetchTarget(
  target: string,
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<TargetHosts> {
  const answer = await requestJson(targetFilePath(target), { timeoutMs: JSON_TIMEOUT_MS, signal }, effects);
  const closing = answer && readClosing(answer);
  if (closing) return { kind: closing };
  const hosts = answer?.text ? readTargetFile(answer.text) : [];
  return hosts.length > 0 ? { kind: 'listed', hosts } : { kind: 'failed' };
}
