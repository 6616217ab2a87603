import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { BROWSERS } from '../e2e/support/browsers.ts';

/** Sends a command to a page: https://chromedevtools.github.io/devtools-protocol */
export type Send = (method: string, parameters?: object) => Promise<Record<string, unknown>>;

export type BareChromium = {
  /** Opens an empty page in a context of its own, lets something act on it, and closes both. */
  readonly inFreshPage: <T>(act: (send: Send) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/**
 * The Chromium of the tests without Playwright, which watches the network of every page: for that, Chromium parses a script
 * again each time the script sends something, and a slow page would be measured slower than it is.
 */
export async function openBareChromium(): Promise<BareChromium> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-chromium-'));
  const { executablePath, args } = BROWSERS.chromium.launchOptions;
  const own = ['--headless=new', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${dir}`];
  const browser = spawn(executablePath, [...args, ...own], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = once(browser, 'exit');
  const send = speakOver(browser.stdio[3] as Writable, browser.stdio[4] as Readable);
  return {
    async inFreshPage(act) {
      const context = await send('Target.createBrowserContext');
      const target = await send('Target.createTarget', { url: 'about:blank', ...context });
      const { sessionId } = await send('Target.attachToTarget', { ...target, flatten: true });
      try {
        return await act((method, parameters) => send(method, parameters, String(sessionId)));
      } finally {
        await send('Target.disposeBrowserContext', context);
      }
    },
    async close() {
      await send('Browser.close');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

type Message = {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

/** The protocol over a pipe: JSON, with a zero byte after each message. Only answers are read, no events. */
function speakOver(input: Writable, output: Readable) {
  const waiting = new Map<number, (message: Message) => void>();
  let unread = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (unread + chunk).split('\0');
    unread = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
    }
  });
  let lastId = 0;
  return async (
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result = {}, error } = await answered;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}
