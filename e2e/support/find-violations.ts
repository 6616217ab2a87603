import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * The faults that axe finds in a page as it is shown, or in one part of it: the rule, and the elements that break it. Only
 * in Chromium, because it takes seconds, and the document is the same in every browser.
 */
export async function findViolations(page: Page, part?: string): Promise<readonly string[]> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return [];
  // Axe is 600 KB, and stays in a document once it is there.
  const { isThere, isForced } = await page.evaluate(() => ({
    isThere: 'axe' in window,
    isForced: matchMedia('(forced-colors: active)').matches,
  }));
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) })
    // The other mode opens an empty page for each run. It is for frames of other sites.
    .setLegacyMode()
    // Nobody reads what it says about the elements that break no rule.
    .options({ resultTypes: ['violations'] })
    // A page that the player shows is judged where it is made.
    .exclude('iframe[src="/player"]');
  // There the system chooses the colours, and axe takes the page's own for those of the letters.
  if (isForced) axe.disableRules('color-contrast');
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
