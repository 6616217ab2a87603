import { JSON_TIMEOUT_MS } from '../contract/limits.ts';
import { type LinksConfig, parseLinks } from '../contract/links-config.ts';
import { LINKS_PATH } from '../contract/paths.ts';
import type { Effects } from './effects.ts';
import { requestJson } from './request-json.ts';

/** Asks for the links config, once. Undefined where it does not load. */
export async function fetchLinks(
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<LinksConfig | undefined> {
  // The mode of a preload: `<link rel="preload" as="fetch">` is used up by this very request.
  const answer = await requestJson(LINKS_PATH, { timeoutMs: JSON_TIMEOUT_MS, signal }, effects);
  return answer?.status === 200 ? parseLinks(answer.body) : undefined;
}
