import { POLICY_WAIT_MS } from '../../contract/limits.ts';
import type { Effects } from '../effects/effects.ts';
import { wait } from '../effects/wait.ts';
import { PLAIN_REQUEST } from './probe-line.ts';

/** Asks whether anybody answers at a URL. Resolves with false if nobody did before the signal aborted. */
export type AskAnybody = (url: string, signal: AbortSignal) => Promise<boolean>;

/** The part of a page's document that tells what the page's own policy has blocked. */
export type PolicyEvents = Pick<Document, 'addEventListener' | 'removeEventListener'>;

/**
 * Creates the question that follows a failed probe: does anybody answer there at all? A probe fails in the same way where no
 * server is, and where somebody else's server redirects or lets no page read its answer. Without CORS a browser tells the
 * two apart: it hands out an answer that nobody can read, or it fails again.
 */
export function createAskAnybody(
  { fetch, setTimer }: Pick<Effects, 'fetch' | 'setTimer'>,
  document: PolicyEvents,
): AskAnybody {
  return async (url, signal) => {
    let isBlocked = false;
    const note = ({ blockedURI }: Pick<SecurityPolicyViolationEvent, 'blockedURI'>): void => {
      isBlocked ||= blockedURI === url;
    };
    document.addEventListener('securitypolicyviolation', note);
    try {
      // In this mode every browser refuses `redirect: 'manual'`.
      await fetch(url, { ...PLAIN_REQUEST, mode: 'no-cors', redirect: 'follow', signal });
      return true;
    } catch {
      // The page's policy allows every https address. So if it has blocked this one, the server redirects to http. Chromium
      // tells that up to 4 ms after the request has failed.
      if (!url.startsWith('https:')) return false;
      await wait(POLICY_WAIT_MS, signal, setTimer);
      return isBlocked;
    } finally {
      document.removeEventListener('securitypolicyviolation', note);
    }
  };
}
