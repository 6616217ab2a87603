import type { Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { BUILT_IN_LOCALES } from '../src/contract/site/locales.ts';
import type { LineHosts } from '../src/line/start-line-hosts.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { findViolations } from './support/find-violations.ts';
import { expect, test } from './support/test.ts';

declare global {
  interface Window {
    /** What moved of its own accord, and by how much. */
    shifts: readonly { readonly value: number; readonly nodes: readonly (string | null | undefined)[] }[];
  }
}

const LINES = ['line1', 'line2', 'line3', 'line4'].map((name) => `${name}.localhost`);

// The longest file, on the plain portal that every worker has.
test.describe.configure({ mode: 'parallel' });

type State = {
  readonly name: string;
  readonly prepare: (page: Page, lines: LineHosts) => Promise<void> | void;
  readonly settle: (page: Page) => Promise<void>;
};

const ready = (page: Page): Promise<void> => page.locator('[data-phase="ready"]').waitFor();

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

for (const { name, prepare, settle } of STATES) {
  test(
    `has no axe violation in the state "${name}", on a phone and on a desktop, in any language`,
    IN_CHROMIUM,
    async ({ page, lines, expectedErrors }) => {
      test.slow();
      expectedErrors.push(/speed\.php|link\.json/);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await prepare(page, lines);
      for (const locale of BUILT_IN_LOCALES) {
        await page.goto(`/?lang=${locale}`);
        await settle(page);
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await findViolations(page), `${locale}, ${width} px wide`).toEqual([]);
        }
      }
    },
  );
}

test.describe('with a country that is restricted', () => {
  test.use({
    changes: {
      site: {
        network: { countryHeader: 'X-Country', trustedProxies: ['127.0.0.0/8', '::1/128'] },
        compliance: { restrictedRegions: ['AQ'] },
      },
    },
  });

  test('the notice has no axe violation', IN_CHROMIUM, async ({ page }) => {
    await page.setExtraHTTPHeaders({ 'X-Country': 'AQ' });
    await page.goto('/');
    expect(await findViolations(page)).toEqual([]);
  });

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
      },
    });
    for (const path of ['/', '/r', '/t/localhost', '/nowhere']) {
      for (const locale of BUILT_IN_LOCALES) {
        for (const country of ['FR', 'AQ']) {
          const answer = await request.get(`${path}?lang=${locale}`, { headers: { 'X-Country': country } });
          const { results } = await validator.validateString(await answer.text());
          const messages = results.flatMap((result) => result.messages);
          expect(
            messages.map(
              ({ ruleId, message, line, column }) => `${path} ${line}:${column} ${ruleId} ${message}`,
            ),
          ).toEqual([]);
        }
      }
    }
  });
});

test('the first line is seen without scrolling, and no page is wider than its window, in any language', async ({
  page,
}) => {
  test.slow();
  for (const locale of BUILT_IN_LOCALES) {
    await page.goto(`/?lang=${locale}`);
    await ready(page);
    const announcement = page.locator('aside').filter({ has: page.locator('[data-silent=announcement]') });
    await expect(announcement).toBeVisible();
    await expectFirstLineInView(page, locale);
    // At 320 px, and with texts twice as large.
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
      expect(overflow, `${width} px at ${scale} in ${locale}`).toBeLessThanOrEqual(0);
    }
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
    await announcement.getByRole('button').click();
    await expect(announcement).toBeHidden();
    await expectFirstLineInView(page, locale);
  }
});

for (const width of [360, 390, 768, 1024, 1440]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    // Only Chromium tells of layout shifts.
    test(
      'nothing moves while the page loads and measures, in any language',
      IN_CHROMIUM,
      async ({ page, lines }) => {
        test.slow();
        for (const [index, host] of LINES.entries()) lines.set(host, { delayMs: 100 + index * 300 });
        lines.set('line4.localhost', { fault: 'wrong-marker' });
        await page.addInitScript(recordShifts);
        for (const locale of BUILT_IN_LOCALES) {
          await page.goto(`/?lang=${locale}`);
          await ready(page);
          expect(await page.evaluate(() => window.shifts), locale).toEqual([]);
        }
      },
    );
  });
}

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

/** On a phone and on a desktop. */
async function expectFirstLineInView(page: Page, locale: string): Promise<void> {
  const row = page.locator('[data-row="1"]');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    for (const part of [row.locator('[data-speed]'), row.locator('a[href]')]) {
      const box = await part.boundingBox();
      const end = (box?.y ?? Infinity) + (box?.height ?? 0);
      expect(end, `${viewport.width} px wide in ${locale}`).toBeLessThanOrEqual(viewport.height);
    }
  }
}
