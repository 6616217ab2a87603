import type { Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { isSoak } from '../src/engine/testing/tenth-of.ts';
import type { LineHosts } from '../src/line/start-line-hosts.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { findMisfits } from './support/find-misfits.ts';
import { findSmallTargets } from './support/find-small-targets.ts';
import { findViolations } from './support/find-violations.ts';
import { SIX_LANGUAGES, SIX_LOCALES } from './support/six-languages.ts';
import { expect, test } from './support/test.ts';

declare global {
  interface Window {
    /** What moved of its own accord, and by how much. */
    shifts: readonly { readonly value: number; readonly nodes: readonly (string | null | undefined)[] }[];
  }
}

const LINES = ['line1', 'line2', 'line3', 'line4'].map((name) => `${name}.localhost`);

// Parts that move may not move others.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Each language on a phone and on a desktop; the widths between them, with the longest words only. */
const WIDTHS_OF: Readonly<Record<(typeof SIX_LOCALES)[number], readonly number[]>> = {
  'zh-CN': [360, 1440],
  'zh-TW': [390, 1440],
  en: [360, 390, 1440],
  de: [360, 390, 768, 1024, 1440],
  ar: [360, 1440],
  vi: [360, 1440],
};

/**
 * Whether the page is loaded at this width, to see whether anything moves, or only made that wide. In `npm test` it is loaded on a
 * phone in each language, and on a desktop in that of the longest words.
 */
function isLoadedAt(width: number, locale: (typeof SIX_LOCALES)[number]): boolean {
  return isSoak() || width === WIDTHS_OF[locale][0] || (width === 1440 && locale === 'de');
}

type State = {
  readonly name: string;
  readonly prepare: (page: Page, lines: LineHosts) => Promise<void> | void;
  readonly settle: (page: Page) => Promise<void>;
};

const ready = async (page: Page): Promise<void> => {
  await page.locator('[data-phase="ready"]').waitFor();
  await page.locator('.consent').waitFor();
};

const STATES: readonly State[] = [
  {
    name: 'testing',
    prepare: (_, lines) => {
      for (const host of LINES) lines.set(host, { fault: 'hang' });
    },
    settle: (page) => page.locator('[data-row] a[href]').first().waitFor(),
  },
  {
    name: 'mixed',
    prepare: (_, lines) => {
      lines.set('line1.localhost', { delayMs: 300 });
      lines.set('line2.localhost', { delayMs: 800 });
      lines.set('line3.localhost', { fault: 'wrong-marker' });
    },
    settle: ready,
  },
  {
    name: 'a line of the wrong server, asked for',
    prepare: (_, lines) => lines.set('line1.localhost', { fault: 'wrong-marker' }),
    settle: async (page) => {
      await ready(page);
      await page.locator('[data-row] button[aria-haspopup="dialog"]').click();
    },
  },
  {
    name: 'all failed',
    prepare: (_, lines) => {
      for (const host of LINES) lines.set(host, { fault: 'refuse' });
    },
    settle: ready,
  },
  {
    name: 'backup rows',
    prepare: async (page) => {
      await page.route('**/api/hostnames', (route) => route.fulfill({ json: [] }));
    },
    settle: ready,
  },
  {
    name: 'links failed',
    prepare: async (page) => {
      await page.route('**/json/link.json', (route) => route.fulfill({ status: 503, body: '' }));
    },
    settle: (page) => page.getByRole('alert').waitFor(),
  },
];

// One portal for all: a country is named only where a test names one.
test.use({
  changes: {
    site: {
      ...SIX_LANGUAGES.site,
      network: {
        countryHeader: 'X-Country',
        trustedProxies: ['127.0.0.0/8', '::1/128'],
        unknownRegion: 'open',
      },
      compliance: { restrictedRegions: ['AQ'] },
      // The question is the part of the page that comes last, and that takes most of its place.
      consent: 'required',
    },
  },
});

// Each state once and each language once: what a state does to a page, and what a language does to it, differ.
for (const [index, { name, prepare, settle }] of STATES.entries()) {
  const locale = SIX_LOCALES[index % SIX_LOCALES.length];
  test(
    `in the state "${name}" and in ${locale}, axe finds no fault and every text fits, on a phone and on a desktop`,
    IN_CHROMIUM,
    async ({ page, lines, expectedErrors }) => {
      expectedErrors.push(/speed\.php|link\.json/);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await prepare(page, lines);
      await page.goto(`/?lang=${locale}`);
      await settle(page);
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await findMisfits(page), `${width} px wide`).toEqual([]);
        expect(await findSmallTargets(page), `${width} px wide`).toEqual([]);
        // In `npm test`, half of the states on a phone, and half on a desktop.
        if (isSoak() || width === [360, 1440][index % 2])
          expect(await findViolations(page), `${width} px wide`).toEqual([]);
      }
    },
  );
}

for (const locale of SIX_LOCALES) {
  // Only Chromium tells of layout shifts. Firefox has its own letters and lines, which matter most to the hardest two.
  const where = locale === 'ar' ? {} : locale === 'de' ? FIREFOX_IN_SOAK : IN_CHROMIUM;
  test(
    `in ${locale} nothing moves while the page loads and measures, every text fits, and the first line is in view`,
    where,
    async ({ page, lines }) => {
      test.slow();
      for (const [index, host] of LINES.entries()) lines.set(host, { delayMs: 100 + index * 300 });
      lines.set('line4.localhost', { fault: 'wrong-marker' });
      await page.addInitScript(recordShifts);
      for (const width of WIDTHS_OF[locale]) {
        await page.setViewportSize({ width, height: 900 });
        if (isLoadedAt(width, locale)) {
          await page.goto(`/?lang=${locale}`);
          await ready(page);
          expect(await page.evaluate(() => window.shifts), `${width} px wide`).toEqual([]);
        }
        expect(await findMisfits(page), `${width} px wide`).toEqual([]);
        await expectUncovered(page);
      }
      // Words as long as the German ones take more lines than a phone has above the rows.
      const hasShortTexts = locale !== 'de';
      if (hasShortTexts) await expectFirstLineInView(page);
      await expectNoOverflow(page);
      await expectRoomForSpeed(page);
      // The German words are longer than a line of a phone then.
      if (hasShortTexts) await expectRoomForLargeText(page);
      const announcement = page.locator('aside').filter({ has: page.locator('[data-silent=announcement]') });
      await announcement.getByRole('button').click();
      await expect(announcement).toBeHidden();
      if (hasShortTexts) await expectFirstLineInView(page);
    },
  );
}

test(
  'the notice of a restricted region has no axe violation, and its texts fit',
  IN_CHROMIUM,
  async ({ page }) => {
    await page.setExtraHTTPHeaders({ 'X-Country': 'AQ' });
    await page.goto('/?lang=de');
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findMisfits(page)).toEqual([]);
    }
    expect(await findViolations(page)).toEqual([]);
  },
);

test('the HTML of every page is valid in every language', IN_CHROMIUM, async ({ request }) => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      // How React writes: void elements with a slash, attributes in their own case, booleans with a value.
      'void-style': 'off',
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'no-trailing-whitespace': 'off',
      // A title is as long as the brand's name and language make it.
      'long-title': 'off',
      'no-inline-style': 'error',
      // Lists without markers lose their role in Safari; ours are plain lists of links.
      'no-redundant-role': 'off',
      'tel-non-breaking': 'off',
      'require-sri': 'off',
      'no-raw-characters': 'off',
      'doctype-style': 'off',
      // /r has a headline for each outcome, and shows one of them.
      'heading-level': ['error', { allowMultipleH1: true }],
    },
  });
  const pages = ['/', '/r', '/t/localhost', '/nowhere'].map((path) => ({ path, country: 'FR' }));
  // Every page with lines is the same notice there.
  for (const { path, country } of [...pages, { path: '/', country: 'AQ' }]) {
    for (const locale of SIX_LOCALES) {
      const answer = await request.get(`${path}?lang=${locale}`, { headers: { 'X-Country': country } });
      const { results } = await validator.validateString(await answer.text());
      const messages = results.flatMap((result) => result.messages);
      expect(
        messages.map(({ ruleId, message, line, column }) => `${path} ${line}:${column} ${ruleId} ${message}`),
      ).toEqual([]);
    }
  }
});

/** Runs in the page, before anything else does. */
function recordShifts(): void {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // TypeScript's library does not know layout shifts yet.
      const { value, sources = [] } = entry as PerformanceEntry & {
        value: number;
        sources?: { node?: Node }[];
      };
      const nodes = sources.map(({ node }) => (node instanceof Element ? node.className : node?.textContent));
      window.shifts = [...window.shifts, { value, nodes }];
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The question lies over nothing: it has its own place in the banner. */
async function expectUncovered(page: Page): Promise<void> {
  const covered = await page.locator('.consent').evaluate((question) => {
    const over = question.getBoundingClientRect();
    return [...document.querySelectorAll('h1, h2, a, button, summary, [data-row]')]
      .filter((element) => {
        const { top, right, bottom, left, width } = element.getBoundingClientRect();
        const isBeside = right <= over.left || left >= over.right || bottom <= over.top || top >= over.bottom;
        // A link for the Tab key alone is above the page until then.
        return !question.contains(element) && width > 0 && !isBeside && bottom > 0;
      })
      .map(({ textContent }) => textContent);
  });
  expect(covered).toEqual([]);
}

/** On a phone and on a desktop. */
async function expectFirstLineInView(page: Page): Promise<void> {
  const row = page.locator('[data-row="1"]');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    for (const part of [row.locator('[data-speed]'), row.locator('a[href], button[aria-haspopup]')]) {
      const box = await part.boundingBox();
      const end = (box?.y ?? Infinity) + (box?.height ?? 0);
      expect(end, `${viewport.width} px wide`).toBeLessThanOrEqual(viewport.height);
    }
  }
}

/** At 320 px, and with texts twice as large. */
async function expectNoOverflow(page: Page): Promise<void> {
  for (const [width, scale] of [
    [320, 1],
    [640, 2],
    [1280, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate((factor) => {
      const root = document.documentElement;
      root.style.fontSize = `${16 * factor}px`;
      return root.scrollWidth - root.clientWidth;
    }, scale);
    expect(overflow, `${width} px at ${scale}`).toBeLessThanOrEqual(0);
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
}

/**
 * With texts twice as large, as some browsers make them without telling the page: nothing is cut off, and no text of a control is a
 * column of single letters.
 */
async function expectRoomForLargeText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  for (const width of [390, 768, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findMisfits(page), `${width} px wide, at 200 %`).toEqual([]);
    expect(await findColumns(page), `${width} px wide, at 200 %`).toEqual([]);
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
}

/** Names the texts that have fewer than three letters in a line. */
function findColumns(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(a, button, p, summary, h1, h2)')].flatMap((element) => {
      const text = element.textContent.trim();
      const range = document.createRange();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const rects: DOMRect[] = [];
      // Of the letters alone: the boxes around them begin elsewhere.
      while (walker.nextNode()) {
        range.selectNodeContents(walker.currentNode);
        rects.push(...range.getClientRects());
      }
      const tops = rects.filter(({ width }) => width > 1).map(({ top }) => Math.round(top / 8));
      const lines = new Set(tops).size;
      return lines > 2 && text.length / lines < 3 ? [`"${text}" in ${lines} lines`] : [];
    }),
  );
}

/** A phone that shows everything twice as large is half as wide. Beside the link, a speed would have one letter a line. */
async function expectRoomForSpeed(page: Page): Promise<void> {
  await page.setViewportSize({ width: 195, height: 422 });
  const row = page.locator('[data-row="1"]');
  const [whole, speed] = await Promise.all([row.boundingBox(), row.locator('[data-speed]').boundingBox()]);
  expect(speed?.width).toBeGreaterThan((whole?.width ?? Infinity) / 2);
}
