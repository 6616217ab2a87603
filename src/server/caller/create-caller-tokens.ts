import type { CallerAddress } from '../../contract/api/caller-address.ts';
import type { Signer } from './create-signer.ts';
import type { IpAddress } from './parse-address.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';

/** A page asks for its lines right after its address. A retest much later asks for the address again. */
const CALLER_TOKEN_LIFE_MS = 10 * MINUTE_MS;

export type CallerTokens = {
  /** What a caller is told: the address, and the `key_id` that proves it. */
  readonly issue: (address: IpAddress) => CallerAddress;
  readonly isProof: (address: IpAddress, token: string) => boolean;
};

/** Proves to the hostname call that a caller's address is the one this server saw. */
export function createCallerTokens(signer: Signer, now: () => number): CallerTokens {
  return {
    issue: (address) => {
      const expiresAt = now() + CALLER_TOKEN_LIFE_MS;
      const signature = signer.sign('caller', `${address.text} ${expiresAt}`);
      return { get_ip: address.text, key_id: `${expiresAt}.${signature}` };
    },
    isProof: (address, token) => {
      const [, expiry, signature] = /^(\d{1,15})\.([\w-]+)$/.exec(token) ?? [];
      if (expiry === undefined || signature === undefined) return false;
      const expiresAt = Number(expiry);
      // A time in the future means that the clock was set back meanwhile.
      const age = Math.abs(now() - (expiresAt - CALLER_TOKEN_LIFE_MS));
      return age < CALLER_TOKEN_LIFE_MS && signer.verify('caller', `${address.text} ${expiresAt}`, signature);
    },
  };
}
