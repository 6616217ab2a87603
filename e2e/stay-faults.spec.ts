import { createRandom } from '../src/engine/testing/create-random.ts';
import { isSoak } from '../src/engine/testing/tenth-of.ts';
import type { LineBehaviour } from '../src/line/line-behaviour.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { test } from './support/stay-test.ts';
import { BACKUPS, LINES, expect } from './support/test.ts';

const FAULTS = isSoak() ? 1_000 : 20;
const [LINE = '', ...SIBLINGS] = [...LINES, ...BACKUPS];
/** Browsers repeat a request on their own if a connection fails that they reuse. So none is reused here. */
const WELL: LineBehaviour = { closesConnections: true };
/** What becomes of the line that the visitor is in. A line that hangs takes six seconds, so there are few of those. */
const LOSSES: readonly LineBehaviour[] = [
  { fault: 'refuse' },
  { fault: 'reset-head' },
  { fault: 'bad-gateway' },
  { fault: 'no-cors' },
];
const TROUBLES: readonly LineBehaviour[] = [
  { fault: 'refuse', isOnPagesOnly: true },
  { fault: 'bad-gateway', isOnPagesOnly: true },
  { delayMs: 50, isOnPagesOnly: true },
  WELL,
];
const BROKEN: readonly LineBehaviour[] = [
  WELL,
  WELL,
  { ...WELL, delayMs: 100 },
  { fault: 'refuse' },
  { fault: 'wrong-marker' },
  { fault: 'parking-page' },
  { fault: 'marker-without-cors' },
  { fault: 'error' },
];

test(
  `of ${FAULTS} faults none repeats a form, leads to an unproven host, or moves a visitor whose line is well`,
  IN_CHROMIUM,
  async ({ page, lines, stay }) => {
    test.setTimeout(3_600_000);
    const random = createRandom(35);
    const draw = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const own = stay.addressOf(LINE);
    const sent = () => [LINE, ...SIBLINGS].reduce((sum, host) => sum + lines.requests(host).posts, 0);
    lines.set(LINE, WELL);
    await stay.enter(page, own);
    let forms = 0;
    let moves = 0;
    for (let fault = 0; fault < FAULTS; fault += 1) {
      lines.set(LINE, WELL);
      for (const host of SIBLINGS) lines.set(host, WELL);
      await page.goto(`${own}/form`);
      const isLost = random() < 0.7;
      const behaviours = new Map(SIBLINGS.map((host) => [host, draw(BROKEN)]));
      for (const [host, behaviour] of behaviours) lines.set(host, behaviour);
      lines.set(LINE, draw(isLost ? LOSSES : TROUBLES));
      if (isLost && random() < 0.02) lines.set(LINE, { fault: 'hang' });
      const isForm = random() < 0.3;
      const next = page.waitForEvent('framenavigated');
      await page.evaluate((submits) => {
        if (submits) document.forms[0]?.submit();
        else location.href = '/item/1?from=fault#here';
      }, isForm);
      await next;
      if (isForm) forms += 1;
      const { hostname, hash } = new URL(page.url());
      const host = hostname.replace(/^www\d+\./, '');
      if (!SIBLINGS.includes(host)) continue;
      moves += 1;
      expect(isLost, `fault ${fault}: the line was well`).toBe(true);
      expect(isForm, `fault ${fault}: a form leads nowhere by itself`).toBe(false);
      expect(behaviours.get(host)?.fault, `fault ${fault}: ${host} has not proven itself`).toBeUndefined();
      expect(hash).toBe('#here');
    }
    expect(moves).toBeGreaterThan(FAULTS / 10);
    expect(sent()).toBe(forms);
  },
);
