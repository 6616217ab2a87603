import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from '../../../contract/create-store.ts';
import { type VisitEvents, visitEventsSchema } from '../../../contract/visit-events.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createConsent } from '../../kit/consent/create-consent.ts';
import type { Use } from '../analytics/create-analytics.ts';
import { openCounts } from './open-counts.ts';

const ROW = {
  number: 1,
  host: 'line1.example',
  address: 'https://line1.example',
  isBackup: false,
  speed: { key: 'testing' },
  cause: undefined,
  isFastest: false,
} as const;
const ENTER: Use = { name: 'official_line', index: 1, entered: { row: ROW, clickedAt: 0 } };
const EMPTY = { device: 'pc', language: 'en', referrer: 'search.example', steps: [], events: {}, lines: {} };

beforeEach(() => {
  vi.useFakeTimers();
});

/** A page that counts. What it sends is checked as the server checks it. */
function openPage({
  referrer = 'https://search.example/q?secret',
  isRequired = false,
  isHidden = false,
  withoutConsent = false,
} = {}) {
  const batches: VisitEvents[] = [];
  const state = { takesBeacons: true };
  const document = Object.assign(new EventTarget(), {
    hidden: isHidden,
    referrer,
    documentElement: { lang: 'en' },
  });
  const page = Object.assign(new EventTarget(), {
    document,
    location: { hostname: 'portal.example' },
    setTimeout: (callback: () => void, ms: number) => setTimeout(callback, ms),
    clearTimeout: (timer: number) => clearTimeout(timer),
    performance: {
      getEntriesByType: (type: string) => (type === 'navigation' ? [{ responseStart: 90 }] : []),
    },
    navigator: {
      sendBeacon: (path: string, body: string) => {
        expect(path).toBe('/api/events');
        if (state.takesBeacons) batches.push(v.parse(visitEventsSchema, JSON.parse(body)));
        return state.takesBeacons;
      },
    },
  });
  const board = createStore<BoardSnapshot>({ phase: 'loading', rows: [ROW] });
  const links = createStore({ kind: 'loading' });
  const uses: Use[] = [];
  const consent = createConsent({ isRequired, hasPrivacySignal: false, store: createMemoryStore() });
  if (isRequired && !withoutConsent) consent.choose('granted');
  const open = (): void =>
    openCounts(page as never, {
      board,
      links,
      uses,
      consent,
      readDevice: () => 'pc',
      withoutConsent,
    });
  const use = (event: Use): void => {
    uses.push(event);
    document.dispatchEvent(new Event('click'));
  };
  const measure = (): void => {
    links.set({ kind: 'loaded' });
    board.set({ phase: 'ready', rows: [{ ...ROW, speed: { key: 'measured', ms: 40 } }] });
  };
  const setHidden = (hidden: boolean): void => {
    document.hidden = hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, board, batches, state, open, use, measure, setHidden, uses, consent };
}

describe('openCounts', () => {
  test('counts a visitor who stays after 5 s', () => {
    const { batches, open, measure } = openPage();
    open();
    measure();
    vi.advanceTimersByTime(4_999);
    expect(batches).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(batches).toEqual([{ ...EMPTY, steps: ['page_view', 'links_loaded', 'first_row'] }]);
  });

  test('counts what was used before it was loaded, and sends it after half a second, with all that waits', () => {
    const { batches, open, measure, uses } = openPage();
    measure();
    uses.push({ name: 'retest' }, { name: 'retest' }, ENTER, { name: 'download' });
    open();
    vi.advanceTimersByTime(499);
    expect(batches).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(batches).toEqual([
      {
        ...EMPTY,
        steps: ['page_view', 'links_loaded', 'first_row', 'entered'],
        events: { retest: 2, official_line: 1, download: 1 },
        lines: { 'line1.example': 1 },
      },
    ]);
  });

  test('sends at once when the page is hidden, with its vitals, each thing once', () => {
    const { page, batches, open, use, measure, setHidden } = openPage();
    open();
    measure();
    use({ name: 'tip_ub' });
    setHidden(true);
    const first = {
      ...EMPTY,
      steps: ['page_view', 'links_loaded', 'first_row'],
      events: { tip_ub: 1 },
      vitals: { TTFB: 90 },
    };
    expect(batches).toEqual([first]);
    page.dispatchEvent(new Event('pagehide'));
    // Back from the back/forward cache, or just seen again.
    setHidden(false);
    measure();
    vi.advanceTimersByTime(60_000);
    setHidden(true);
    expect(batches).toEqual([first]);
    use({ name: 'tip_ub' });
    setHidden(true);
    expect(batches).toEqual([first, { ...EMPTY, events: { tip_ub: 1 } }]);
  });

  test('sends its vitals, once, where the browser leaves a page without hiding it first', () => {
    const { page, batches, open } = openPage();
    open();
    page.dispatchEvent(new Event('pagehide'));
    page.dispatchEvent(new Event('pagehide'));
    expect(batches).toEqual([{ ...EMPTY, steps: ['page_view'], vitals: { TTFB: 90 } }]);
  });

  test('a line that is entered twice is one visit and two clicks', () => {
    const { page, batches, open, use } = openPage();
    open();
    use(ENTER);
    vi.advanceTimersByTime(5_000);
    use(ENTER);
    page.dispatchEvent(new Event('pagehide'));
    expect(batches.map(({ steps, lines }) => [steps, lines])).toEqual([
      [['page_view', 'entered'], { 'line1.example': 1 }],
      [[], { 'line1.example': 1 }],
    ]);
  });

  test('counts the line that was clicked, although its row has another one by now', () => {
    const { board, batches, open, uses, setHidden } = openPage();
    uses.push(ENTER);
    board.set({ phase: 'ready', rows: [{ ...ROW, host: 'line2.example' }] });
    open();
    setHidden(true);
    expect(batches.map(({ lines }) => lines)).toEqual([{ 'line1.example': 1 }]);
  });

  test('keeps what the browser does not take for the next batch', () => {
    const { batches, state, open, use, setHidden } = openPage();
    open();
    use({ name: 'retest' });
    state.takesBeacons = false;
    setHidden(true);
    vi.advanceTimersByTime(60_000);
    state.takesBeacons = true;
    use({ name: 'retest' });
    vi.advanceTimersByTime(5_000);
    expect(batches).toEqual([
      { ...EMPTY, steps: ['page_view'], events: { retest: 2 }, vitals: { TTFB: 90 } },
    ]);
  });

  test('forgets what was not sent when the visitor refuses, and counts anew when they agree', () => {
    const { batches, open, use, setHidden, consent, uses } = openPage({ isRequired: true });
    open();
    use({ name: 'retest' });
    consent.choose('refused');
    vi.advanceTimersByTime(60_000);
    setHidden(true);
    expect(batches).toEqual([]);
    setHidden(false);
    expect(uses).toEqual([]);
    consent.choose('granted');
    use({ name: 'tip_ub' });
    vi.advanceTimersByTime(5_000);
    expect(batches).toEqual([{ ...EMPTY, steps: ['page_view'], events: { tip_ub: 1 } }]);
    consent.choose('refused');
    consent.choose('granted');
    vi.advanceTimersByTime(60_000);
    expect(batches).toHaveLength(1);
  });

  test.each([
    [1, 'has not answered where the site counts without', undefined],
    [1, 'agrees', 'granted'],
    [0, 'refuses, although the site counts without', 'refused'],
  ] as const)('%i batches leave of a visitor who %s', (count, _what, choice) => {
    const { page, batches, open, consent } = openPage({ isRequired: true, withoutConsent: true });
    open();
    if (choice) consent.choose(choice);
    page.dispatchEvent(new Event('pagehide'));
    expect(batches).toHaveLength(count);
  });

  test('a visitor who has not answered is not counted where the site asks first', () => {
    const { page, batches, open, consent } = openPage({ isRequired: true });
    consent.choose('refused');
    open();
    page.dispatchEvent(new Event('pagehide'));
    expect(batches).toEqual([]);
  });

  test('a page that was left before this was loaded is counted at once, without vitals', () => {
    const { batches, open } = openPage({ isHidden: true });
    open();
    expect(batches).toEqual([{ ...EMPTY, steps: ['page_view'] }]);
  });

  test.each([
    ['', ''],
    ['https://portal.example/?a=1', ''],
    ['https://search.example:8443/path?query#hash', 'search.example'],
    ['http://sub.search.example', 'sub.search.example'],
    ['android-app://com.example.app/', 'com.example.app'],
  ])('of the referrer %j the host is told: %j', (referrer, host) => {
    const { page, batches, open } = openPage({ referrer });
    open();
    page.dispatchEvent(new Event('pagehide'));
    expect(batches[0]?.referrer).toBe(host);
  });
});
