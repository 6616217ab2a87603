import type { Driver } from './start-driver.ts';

/** One browser, with nothing kept from an earlier one. */
export type Session = {
  /** Sends a command of the W3C's WebDriver protocol, and resolves with its value. */
  readonly send: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export type SessionOptions = {
  readonly javaScriptEnabled: boolean;
  readonly userAgent: string | undefined;
};

/** A command that failed. Its code is the protocol's: "stale element reference", for example. */
export class WebDriverError extends Error {
  override readonly name = 'WebDriverError';
  readonly code: string;

  constructor(command: string, code: string, message: string) {
    super(`${command}: ${code} ${message}`);
    this.code = code;
  }
}

const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
/** A driver that takes longer hangs. Less than a test's own limit, so that the test names the command. */
const COMMAND_TIMEOUT_MS = 30_000;
const SCRIPT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** Starts a browser and opens a session with it. */
export async function openSession(driver: Driver, options: SessionOptions): Promise<Session> {
  const args = [
    '--automation',
    `--enable-javascript=${options.javaScriptEnabled}`,
    ...(options.userAgent === undefined ? [] : [`--user-agent=${options.userAgent}`]),
  ];
  const { sessionId } = (await command(driver.url, 'POST', '/session', {
    capabilities: {
      alwaysMatch: {
        // Otherwise the driver waits before every command until the page has loaded, and never sees that a page has come out
        // of the back/forward cache.
        pageLoadStrategy: 'none',
        // A script whose page goes away is never answered.
        timeouts: { script: SCRIPT_TIMEOUT_MS },
        'webkitgtk:browserOptions': { binary: BROWSER, args },
      },
    },
  })) as { readonly sessionId: string };
  const base = `${driver.url}/session/${sessionId}`;
  return {
    send: (method, path, body) => command(base, method, path, body),
    async close() {
      await command(base, 'DELETE', '', undefined, CLOSE_TIMEOUT_MS);
    },
  };
}

async function command(
  base: string,
  method: string,
  path: string,
  body?: object,
  timeoutMs = COMMAND_TIMEOUT_MS,
): Promise<unknown> {
  const response = await fetch(base + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    // The driver wants a body with every POST.
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  }).catch((error: unknown) => {
    throw new Error(`WebKit’s driver did not answer ${method} ${path} within ${timeoutMs} ms`, {
      cause: error,
    });
  });
  // Every answer of the protocol has this shape.
  const { value } = (await response.json()) as { readonly value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { readonly error: string; readonly message: string };
  throw new WebDriverError(`${method} ${path}`, error, message);
}
