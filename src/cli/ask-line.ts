import { requestLine } from '../line/request-line.ts';
import type { ServerOptions } from '../server/main.ts';

/** How the server looks at the lines itself. */
export const askLine: NonNullable<ServerOptions['askLine']> = (address, options) =>
  requestLine(address, { now: () => performance.now(), ...options });
