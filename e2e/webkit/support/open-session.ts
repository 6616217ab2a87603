/** Sends a command of the W3C's WebDriver protocol to a browser, and resolves with its value. */
export type Send = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  timeoutMs?: number,
) => Promise<unknown>;

export type SessionOptions = {
  readonly javaScriptEnabled: boolean;
  readonly userAgent: string | undefined;
  readonly ignoreHTTPSErrors: boolean;
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

/** A driver that takes longer hangs. Less than a test's own limit, so that the error names the command. */
const COMMAND_TIMEOUT_MS = 30_000;

/** Has a driver start a browser, with nothing kept from an earlier one. It ends with its driver. */
export async function openSession(driverUrl: string, options: SessionOptions): Promise<Send> {
  const args = [
    '--automation',
    `--enable-javascript=${options.javaScriptEnabled}`,
    ...(options.userAgent === undefined ? [] : [`--user-agent=${options.userAgent}`]),
  ];
  const { sessionId } = (await command(driverUrl, 'POST', '/session', {
    capabilities: {
      alwaysMatch: {
        // Otherwise the driver waits before every command until the page has loaded, and never sees that a page has come out
        // of the back/forward cache.
        pageLoadStrategy: 'none',
        acceptInsecureCerts: options.ignoreHTTPSErrors,
        'webkitgtk:browserOptions': { args },
      },
    },
  })) as { readonly sessionId: string };
  return (method, path, ...rest) => command(`${driverUrl}/session/${sessionId}`, method, path, ...rest);
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
