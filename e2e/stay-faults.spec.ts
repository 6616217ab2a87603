import type { Page } from '@playwright/test';
import { isSoak } from '../src/engine/testing/tenth-of.ts';
import type { LineBehaviour } from '../src/line/line-behaviour.ts';
import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { type Lane, inLanes } from './support/in-lanes.ts';
import { enterLine } from './support/stay-test.ts';
import { BACKUPS, LINES, expect, test } from './support/test.ts';

const FAULTS = isSoak() ? 1_000 : 40;
const SEEDS = Array.from({ length: isSoak() ? 10 : 4 }, (_, index) => 35 + index);
const [LINE = '', ...SIBLINGS] = [...LINES, ...BACKUPS];
const TODAY = Math.floor(Date.now() / 86_400_000);
/** Browsers repeat a request on their own if a connection fails that they reuse. So none is reused here. */
const WELL: LineBehaviour = { closesConnections: true };
/** What becomes of the line that the visitor is in. */
const LOSSES: readonly LineBehaviour[] = [
  { fault: 'refuse' },
  { fault: 'refuse' },
  { fault: 'reset-head' },
  { fault: 'bad-gateway' },
  { fault: 'no-cors' },
  { fault: 'captive-portal' },
];
/** The same line proves itself all the time. */
const TROUBLES: readonly LineBehaviour[] = [
  { fault: 'refuse', isOnPagesOnly: true },
  { fault: 'reset-head', isOnPagesOnly: true },
  { fault: 'bad-gateway', isOnPagesOnly: true },
  { delayMs: 50, isOnPagesOnly: true },
  WELL,
];
const BROKEN: readonly LineBehaviour[] = [
  WELL,
  WELL,
  { ...WELL, delayMs: 100 },
  { fault: 'refuse' },
  { fault: 'hang' },
  { fault: 'wrong-marker' },
  { fault: 'parking-page' },
  { fault: 'marker-without-cors' },
  { fault: 'redirect-elsewhere' },
  { fault: 'error' },
];
const ACTIONS = ['link', 'link', 'link', 'reload', 'form', 'post by script'] as const;

type Tally = { faults: number; moves: number; forms: number; failures: number };

test(
  `of ${FAULTS} faults none repeats a form, leads to an unproven host, or moves a visitor whose line is well`,
  FIREFOX_IN_SOAK,
  async ({ browser, portalHost }) => {
    test.setTimeout(3_600_000);
    const tally: Tally = { faults: 0, moves: 0, forms: 0, failures: 0 };
    await inLanes({ browser, portalHost, seeds: SEEDS }, async (lane) => {
      lane.lines.setPortal(lane.door.url);
      const own = `http://www${TODAY}.${LINE}:${lane.lines.ports[0]}`;
      const page = await lane.context.newPage();
      lane.lines.set(LINE, WELL);
      await enterLine(page, own);
      let forms = 0;
      for (let fault = 0; fault < FAULTS / SEEDS.length; fault += 1)
        forms += await bringAbout(lane, page, { own, tally });
      const posts = [LINE, ...SIBLINGS].map((host) => lane.lines.requests(host).posts);
      expect(posts).toEqual([forms, ...SIBLINGS.map(() => 0)]);
    });
    test.info().annotations.push({ type: 'faults', description: JSON.stringify(tally) });
    expect(tally.faults).toBe(FAULTS);
    expect(tally.moves).toBeGreaterThan(FAULTS / 5);
  },
);

/** Breaks the lane's lines, has the visitor do something, and looks where that led. Returns how many forms were sent. */
async function bringAbout(
  { lines, door, openDoor, draw, happens }: Lane,
  page: Page,
  { own, tally }: { readonly own: string; readonly tally: Tally },
): Promise<0 | 1> {
  for (const host of [LINE, ...SIBLINGS]) lines.set(host, WELL);
  const form = `${own}/form`;
  // Firefox's driver may take the end of the last load for a navigation that interrupts this one.
  await page.goto(form).catch(() => page.goto(form));
  const action = draw(ACTIONS);
  const isLost = happens(0.7);
  const behaviours = new Map(SIBLINGS.map((host) => [host, draw(BROKEN)]));
  for (const [host, behaviour] of behaviours) lines.set(host, behaviour);
  // A visitor waits six seconds for a line that says nothing, and two for a portal that does: there are few of both.
  const isSlow = happens(0.02);
  const slow: LineBehaviour = isLost
    ? { fault: 'refuse', delayMs: 9_000 }
    : { ...WELL, delayMs: 4_500, isOnPagesOnly: true };
  const behaviour = isSlow ? slow : draw(isLost ? LOSSES : TROUBLES);
  lines.set(LINE, behaviour);
  const portal = happens(0.1) ? draw(['closed', 'reset', 'silent'] as const) : undefined;
  if (portal) await door.set(portal);
  const story = JSON.stringify({
    action,
    isLost,
    behaviour,
    portal,
    siblings: Object.fromEntries(behaviours),
  });

  await act(page, action).catch((cause: unknown) => {
    throw new Error(`nothing came of ${story}`, { cause });
  });
  if (portal) await openDoor();
  tally.faults += 1;
  const { hostname, hash, protocol } = new URL(page.url());
  const host = hostname.replace(/^www\d+\./, '');
  if (protocol !== 'http:') tally.failures += 1;
  if (host !== LINE && protocol === 'http:') {
    tally.moves += 1;
    expect(isLost, `the line was well: ${story}`).toBe(true);
    expect(['link', 'reload'], `a form leads nowhere by itself: ${story}`).toContain(action);
    expect(behaviours.get(host), `${host} has not proven itself: ${story}`).toMatchObject(WELL);
    expect(hash).toBe(action === 'link' ? '#here' : '');
  }
  const isForm = action === 'form' || action === 'post by script';
  if (isForm) tally.forms += 1;
  return isForm ? 1 : 0;
}

/** Resolves when another document is there; after a request by script, when that has ended. */
async function act(page: Page, action: (typeof ACTIONS)[number]): Promise<void> {
  if (action === 'post by script') {
    const send = () =>
      fetch('/form', { method: 'POST', body: 'a=b' }).then(
        () => undefined,
        () => undefined,
      );
    return page.evaluate(send);
  }
  // Firefox asks ten times before it shows that a line breaks off, and such a line here takes nine seconds each time.
  const next = page.waitForEvent('framenavigated', { timeout: 180_000 });
  // The page may be gone before the driver can answer.
  const begun = page.evaluate((how) => {
    if (how === 'form') document.forms[0]?.submit();
    else if (how === 'reload') location.reload();
    else location.href = '/item/1?from=fault#here';
  }, action);
  begun.catch(() => undefined);
  await next;
}
