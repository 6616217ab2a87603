import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { pino } from 'pino';
import { sayInEach } from '../../src/contract/console-language.ts';
import { nameIncident } from '../../src/contract/describe-incident.ts';
import { nameWithoutScheme } from '../../src/contract/site/parse-host.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import { type PastIncident, type UptimeSums, WHOLE_SITE, countMinute } from '../../src/contract/uptime.ts';
import type { VisitEvents } from '../../src/contract/visit-events.ts';
import { VISIT_STEPS } from '../../src/contract/visitors.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { openDatabase } from '../../src/server/store/open-database.ts';
import { type SeenMinute, createUptimeStore } from '../../src/server/uptime/create-uptime-store.ts';
import { countBatch } from '../../src/server/visitors/cells.ts';
import { keepVisits } from '../../src/server/visitors/keep-visits.ts';
import type { Trouble } from './fill-day.ts';
import { PATIENCE_MS } from './observed-test.ts';

/** What the pictures of the console show beside what simulated visitors do. */

const DAYS = 14;
/** As many as the simulated visitors of a demo are: the last hour must not stand out. */
const VISITS_OF_EACH = 120;
const HOSTS = [1, 5, 9, 1, 5, 9, 2, 6, 10, 2, 6, 3, 7, 11, 4, 8, 12].map(
  (line) => `http://line${line}.localhost`,
);
const LANGUAGES = ['zh-CN', 'zh-CN', 'zh-CN', 'zh-TW', 'en'];
const COUNTRIES = ['SG', 'SG', 'SG', 'MY', 'MY', 'TW', 'HK', ''];
const REFERRERS = ['', '', 'search.example', 'search.example', 'forum.example', 't.example'];

/** Writes two weeks of made-up visits into a data folder: more in the evening, and more in the second week. */
export async function fillVisits(dataDir: string, now: number): Promise<void> {
  const random = createRandom(7);
  const draw = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  let at = now - DAYS * 24 * HOUR_MS;
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ dataDir, log });
  const visits = keepVisits({ database, log, now: () => at });
  for (; at < now; at += HOUR_MS) {
    const isEvening = new Date(at).getUTCHours() > 9 && new Date(at).getUTCHours() < 16;
    const isSecondWeek = now - at < (DAYS / 2) * 24 * HOUR_MS;
    const visitors = (isEvening ? 60 : 25) * (isSecondWeek ? 1.2 : 1) * (0.8 + 0.4 * random());
    for (let visitor = 0; visitor < visitors; visitor += 1) {
      const batch = countBatch(makeVisit(), {
        country: draw(COUNTRIES),
        languages: LANGUAGES,
        isLine: () => true,
      });
      for (let visit = 0; visit < VISITS_OF_EACH; visit += 1) visits.count(batch);
    }
    await visits.write();
  }
  await database.close();

  function makeVisit(): VisitEvents {
    const hasEntered = random() < 0.95;
    const isMobile = random() < 0.7;
    return {
      device: isMobile ? 'mobile' : 'pc',
      language: draw(LANGUAGES),
      referrer: draw(REFERRERS),
      steps: hasEntered ? [...VISIT_STEPS] : VISIT_STEPS.slice(0, 1 + Math.ceil(random() * 2)),
      events: {
        site_referrer: 1,
        ...(hasEntered ? { official_line: 1 } : { retest: 1 }),
        ...(random() < 0.2 ? { tab_ub: 1 } : {}),
        ...(random() < 0.1 ? { header_service: 1 } : {}),
      },
      lines: hasEntered ? { [draw(HOSTS)]: 1 } : {},
      vitals: {
        LCP: 500 + 2_000 * random() ** 2,
        INP: 30 + 150 * random() ** 2,
        CLS: 0.02 * random(),
        FCP: 300 + 900 * random() ** 2,
        TTFB: 60 + 500 * random() ** 2,
      },
    };
  }
}

const UPTIME_DAYS = 60;
const LINES = Array.from({ length: 12 }, (_, index) => `http://line${index + 1}.localhost`);
/** Of an hour. In the night, nobody comes in some of its minutes. */
const KNOWN_MINUTES = { night: 35, day: 60 };

/** Writes two months of a made-up history, with some hours in which one line was lost, and the troubles of the last day. */
export async function fillUptime(dataDir: string, now: number, troubles: readonly Trouble[]): Promise<void> {
  const random = createRandom(11);
  const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
  const store = createUptimeStore(database);
  const term = (await database.lead()) ?? 0;
  const minutes: SeenMinute[] = [];
  const incidents: PastIncident[] = [];
  const first = Math.floor(now / HOUR_MS) - UPTIME_DAYS * 24;
  for (let hour = 0; hour < UPTIME_DAYS * 24; hour += 1) {
    const at = (first + hour) * HOUR_MS;
    const isNight = new Date(at).getUTCHours() < 6;
    const isLastDay = hour >= (UPTIME_DAYS - 1) * 24;
    const lost = !isLastDay && random() < 0.01 ? LINES[Math.floor(random() * LINES.length)] : undefined;
    const lostMinutes = 4 + Math.floor(40 * random());
    if (lost !== undefined) incidents.push(describeLost(lost, { at, minutes: lostMinutes }));
    const down = new Map(lost === undefined ? [] : [[lost, lostMinutes]]);
    for (const { host, before, minutes: downMinutes } of troubles)
      if (Math.floor((now - before * MINUTE_MS) / HOUR_MS) * HOUR_MS === at)
        down.set(`http://${host}`, downMinutes);
    const sums = new Map(
      LINES.map((line) => [line, drawHour(0.997 + 0.003 * random(), isNight, down.get(line))]),
    );
    sums.set(WHOLE_SITE, drawHour(0.999 + 0.001 * random(), isNight));
    minutes.push({ minute: (first + hour) * 60, sums });
  }
  await store.write(minutes, term);
  await store.writeIncidents({ kept: incidents, removed: [] }, term);
  await database.close();
}

/** An hour in which this part of the visitors got in, but for some minutes in which the line was left out. */
function drawHour(part: number, isNight: boolean, downMinutes = 0): UptimeSums {
  const served = isNight ? KNOWN_MINUTES.night : KNOWN_MINUTES.day;
  const leftOut = Math.min(served, downMinutes);
  const known = served - leftOut;
  const visits = known * 12;
  return {
    served,
    leftOut,
    known,
    good: known * countMinute(part).good,
    visits,
    gotIn: Math.round(visits * part),
    probed: 60,
    probedUp: 60 - downMinutes,
  };
}

function describeLost(
  line: string,
  { at, minutes }: { readonly at: number; readonly minutes: number },
): PastIncident {
  const subject = nameWithoutScheme(line);
  return {
    id: `made-up-${at}`,
    kind: 'line-down',
    severity: 'high',
    subject,
    names: sayInEach((language) => nameIncident({ kind: 'line-down', subject }, language)),
    lines: [subject],
    startedAt: at,
    endedAt: at + minutes * MINUTE_MS,
    noticedAt: at + MINUTE_MS / 2,
    takenAt: minutes > 10 ? at + 3 * MINUTE_MS : null,
  };
}

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 640 } };
/** So long that a replay has something to show. */
const PAUSE_MS = 2_000;

/** Visits the landing page as people do, so that there are sessions to look at. */
export async function makeSessions(browser: Browser, url: string): Promise<void> {
  await makeSession(browser, url, { ...DESKTOP, locale: 'en' }, async (page) => {
    await page.getByRole('tab').nth(1).click();
    await page.waitForTimeout(PAUSE_MS);
    await retest(page);
    await page.locator('[data-row="4"]').scrollIntoViewIfNeeded();
    await page.waitForTimeout(PAUSE_MS);
    await enterLine(page);
  });
  await makeSession(browser, url, { ...PHONE, locale: 'zh-CN' }, enterLine);
  await makeSession(browser, url, { ...PHONE, locale: 'zh-TW' }, async (page) => {
    await retest(page);
    await page.evaluate(() => reportError(new TypeError('ad.show is not a function')));
  });
}

async function makeSession(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const recorder = page.waitForResponse(/start-recorder/, { timeout: PATIENCE_MS });
  await page.goto(url);
  await page.locator('[data-phase="ready"]').waitFor();
  await recorder;
  await page.waitForTimeout(PAUSE_MS);
  await act(page);
  await page.waitForTimeout(PAUSE_MS);
  // What is recorded is sent when the page is left.
  await page.goto('about:blank');
  await context.close();
}

async function retest(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Retest speed|重新测速|重新測速/ }).click();
  await page.locator('[data-phase="loading"]').waitFor();
  await page.locator('[data-phase="ready"]').waitFor();
}

async function enterLine(page: Page): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await page.locator('[data-row] a[href]').first().click();
  await (await opened).close();
}
