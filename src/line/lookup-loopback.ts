import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names as browsers do: `*.localhost` is loopback, whatever the system's resolver says.
 * https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export const lookupLoopback: LookupFunction = (hostname, options, callback) => {
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
