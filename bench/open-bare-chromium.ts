import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { BROWSERS } from '../e2e/support/browsers.ts';

/** Sends a command to a page: https://chromedevtools.github.io/devtools-protocol */
export type Send = (method: string, parameters?: object) => Promise<Record<string, unknown>>;

/** Waits for the tab that the page opens. */
export type WaitForTab = () => Promise<Send>;

export type BareChromium = {
  /** Opens an empty page in a context of its own, lets something act on it, and closes both. */
  readonly inFreshPage: <T>(act: (send: Send, waitForTab: WaitForTab) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** Pages note their own times, so it does not matter how often we ask. */
const LOOK_EVERY_MS = 200;

/**
 * The Chromium of the tests, with extra arguments, without Playwright. Playwright watches the network of every page, and for that
 * Chromium parses a script again at each request. It also holds every new tab until it has looked at it. So pages would be
 * measured slower than they are.
 */
export async function openBareChromium(more: readonly string[] = []): Promise<BareChromium> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-chromium-'));
  const { executablePath, args } = BROWSERS.chromium.launchOptions;
  const own = ['--headless=new', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${dir}`];
  const browser = spawn(executablePath, [...args, ...more, ...own], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = once(browser, 'exit');
  const send = speakOver(browser.stdio[3] as Writable, browser.stdio[4] as Readable);
  return {
    async inFreshPage(act) {
      const context = await send('Target.createBrowserContext');
      const target = await send('Target.createTarget', { url: 'about:blank', ...context });
      try {
        return await act(await attach(target), async () => {
          for (;;) {
            const tabs = await listTabs(context);
            const opened = tabs.find(({ targetId }) => targetId !== target['targetId']);
            if (opened !== undefined) return await attach({ targetId: opened.targetId });
            await wait(LOOK_EVERY_MS);
          }
        });
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

  async function attach(target: object): Promise<Send> {
    const { sessionId } = await send('Target.attachToTarget', { ...target, flatten: true });
    return (method, parameters) => send(method, parameters, String(sessionId));
  }

  async function listTabs({ browserContextId }: Record<string, unknown>): Promise<readonly Tab[]> {
    const { targetInfos } = await send('Target.getTargets');
    const tabs = targetInfos as readonly Tab[]; // As the protocol has it.
    return tabs.filter((tab) => tab.type === 'page' && tab.browserContextId === browserContextId);
  }
}

type Tab = { readonly targetId: string; readonly type: string; readonly browserContextId?: string };

/** What an expression is in a page. Its value goes through JSON. */
export async function evaluate<T>(send: Send, expression: string): Promise<T> {
  const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
  return (result as { readonly value: T }).value;
}

/** Asks until an expression has a value in the page. */
export async function waitForValue<T>(send: Send, expression: string): Promise<T> {
  for (;;) {
    // While a page is replaced by the next, nobody answers.
    const value = await evaluate<T | null | undefined>(send, expression).catch(() => undefined);
    if (value !== undefined && value !== null) return value;
    await wait(LOOK_EVERY_MS);
  }
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
