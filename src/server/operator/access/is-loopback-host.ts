/** An address to listen on, or its name. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
/** A `Host` header may also have a port, and a name below localhost. */
const LOOPBACK_NAME = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a `Host` header names this very machine. A page that points its own name at 127.0.0.1 (DNS rebinding) sends
 * that name, and would otherwise read the console through the operator's browser.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_NAME.test(host);
}

/** Whether only this machine reaches a listener at an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
