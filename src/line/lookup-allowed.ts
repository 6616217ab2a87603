import { lookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';

/** Whether an address may be connected to. */
export type IsAllowed = (address: string) => boolean;

/** An address of this machine or of a private network, which strangers must not make this machine ask. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'PRIVATE_ADDRESS';
}

/** Throws if a host is an address that may not be asked. Node looks up names only, so `lookupAllowed` does not see it. */
export function checkLiteralAddress(hostname: string, isAllowed: IsAllowed): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new PrivateAddressError(hostname);
}

/**
 * Looks up a name, and fails if any of its addresses may not be asked. Node connects to exactly these addresses, so a name that
 * resolves to another address later (DNS rebinding) has no effect.
 */
export function lookupAllowed(isAllowed: IsAllowed): LookupFunction {
  return (hostname, options, callback) =>
    lookupLoopback(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const isRefused = !error && !addresses.every(isAllowed);
      callback(isRefused ? new PrivateAddressError(hostname) : error, found, family);
    });
}

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names as browsers do: `*.localhost` is loopback, whatever the system's resolver says.
 * https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
const lookupLoopback: LookupFunction = (hostname, options, callback) => {
  if (!/(?:^|\.)localhost$/.test(hostname)) {
    lookup(hostname, options, callback);
    return;
  }
  const { family } = options;
  const found = LOOPBACKS.filter(
    (loopback) => !family || family === `IPv${loopback.family}` || family === loopback.family,
  );
  // Later, as Node's own lookup does. If the connection fails at once, for example because the process may open no more
  // files, Node emits the error before a caller had the chance to listen for it, and the process ends.
  process.nextTick(() => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  });
};
