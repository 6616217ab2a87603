import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type BareChromium, type Send, evaluate, waitForValue } from './open-bare-chromium.ts';

/** One visit of the landing page. All times are in ms. */
export type PhoneVisit = {
  /** From opening the page until the first row's number is on screen. */
  readonly firstNumberMs: number;
  /** From opening the page until an address can be copied, which only React can do. */
  readonly liveMs: number;
  /** From the first number on screen until a click on "retest" has begun a new run, while three lines hang. */
  readonly retestMs: number;
  /** The longest task of scripts that began before the first number was on screen. Chromium tells of no task without a script. */
  readonly longestTaskMs: number;
  /** Style, layout and paint of the slowest frame before the first number, which is the browser's own work. */
  readonly drawingMs: number;
  /** What tasks took beyond 50 ms, after the first paint: https://web.dev/articles/tbt */
  readonly blockingMs: number;
  /** From the end of a line's answer until its number is on screen; the slowest of the four rows. */
  readonly numberDelayMs: number;
  /** From a tap on a row until the page has handled it; the slowest of a visit. */
  readonly tapMs: number;
  /** From one tap on a row, just after the first paint, until the next frame is drawn: https://web.dev/articles/inp */
  readonly tapDrawnMs: number;
};

const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true };
/** A task blocks as far as it is longer than this. */
const SHORT_TASK_MS = 50;
/** Tasks of a page that is ready are still counted for this long. */
const AFTERMATH_MS = 1_000;
const TAP_EVERY_MS = 150;

/** What phone-notes.mjs notes. */
type Notes = {
  readonly tasks: readonly { readonly startMs: number; readonly durationMs: number }[];
  readonly frames: readonly { readonly startMs: number; readonly drawingMs: number }[];
  readonly taps: readonly { readonly handledMs: number; readonly drawnMs: number }[];
  /** By the number of the row. */
  readonly shownMs: Readonly<Record<string, number>>;
  readonly answeredMs: Readonly<Record<string, number | undefined>>;
  readonly paintedMs: number;
  readonly liveMs: number;
  readonly retestedMs: number;
};

/** The same page with lines that all answer, and with one that answers and three that hang. */
export type PhonePages = { readonly url: string; readonly hangingUrl: string };

/**
 * Opens the page four times: without touching it, with taps on its first row from the first paint on, with one such tap, and with a
 * click on "retest" while three lines hang. Only one tap tells when it is drawn: while others follow, Chromium keeps moving parts smooth, and draws the rest when nobody taps.
 */
export async function measurePhoneVisit(
  browser: BareChromium,
  { url, hangingUrl }: PhonePages,
  slowdown: number,
): Promise<PhoneVisit> {
  const { tasks, frames, shownMs, answeredMs, paintedMs, liveMs } = await openSlowly(browser, url, slowdown);
  const { taps } = await openSlowly(browser, url, slowdown, tapFirstRow);
  const { taps: oneTap } = await openSlowly(browser, url, slowdown, tapFirstRowOnce);
  const hanging = await openSlowly(browser, hangingUrl, slowdown, retestOnce, 'phoneNotes.isRetested()');
  const firstNumberMs = Math.min(...Object.values(shownMs));
  const isEarly = ({ startMs }: { readonly startMs: number }): boolean => startMs < firstNumberMs;
  const visible = tasks.filter(({ startMs, durationMs }) => startMs + durationMs > paintedMs);
  const delays = Object.entries(shownMs).map(([row, ms]) => ms - (answeredMs[row] ?? Number.NaN));
  return {
    firstNumberMs,
    liveMs,
    retestMs: hanging.retestedMs - Math.min(...Object.values(hanging.shownMs)),
    longestTaskMs: Math.max(0, ...tasks.filter(isEarly).map(({ durationMs }) => durationMs)),
    drawingMs: Math.max(0, ...frames.filter(isEarly).map((frame) => frame.drawingMs)),
    blockingMs: visible.reduce((sum, { durationMs }) => sum + durationMs - SHORT_TASK_MS, 0),
    numberDelayMs: Math.max(...delays),
    tapMs: Math.max(0, ...taps.map(({ handledMs }) => handledMs)),
    tapDrawnMs: Math.max(0, ...oneTap.map(({ drawnMs }) => drawnMs)),
  };
}

function openSlowly(
  browser: BareChromium,
  url: string,
  slowdown: number,
  touch?: (send: Send) => Promise<void>,
  isFinished = 'phoneNotes.isFinished()',
): Promise<Notes> {
  return browser.inFreshPage(async (send) => {
    await send('Emulation.setDeviceMetricsOverride', PHONE);
    await send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await send('Page.enable');
    const source = await readFile('bench/phone-notes.mjs', 'utf8');
    await send('Page.addScriptToEvaluateOnNewDocument', { source });
    await send('Page.navigate', { url });
    await touch?.(send);
    await waitForValue(send, `${isFinished} || null`);
    await wait(AFTERMATH_MS);
    return evaluate<Notes>(send, 'phoneNotes.read()');
  });
}

async function tapFirstRow(send: Send): Promise<void> {
  const link = await findFirstLink(send);
  while (!(await evaluate<boolean>(send, 'phoneNotes.isFinished()'))) {
    await tap(send, link);
    await wait(TAP_EVERY_MS);
  }
}

async function tapFirstRowOnce(send: Send): Promise<void> {
  await tap(send, await findFirstLink(send));
}

async function retestOnce(send: Send): Promise<void> {
  await evaluate(send, 'phoneNotes.wantRetest()');
}

function findFirstLink(send: Send): Promise<object> {
  return waitForValue<object>(send, 'phoneNotes.findFirstLink()');
}

async function tap(send: Send, place: object): Promise<void> {
  await send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [place] });
  await send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
