import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * The faults that axe finds in a page as it is shown, or in one part of it: the rule, and the elements that break it. Only
 * in Chromium, because it takes seconds, and the document is the same in every browser.
 */
export async function findViolations(page: Page, part?: string): Promise<readonly string[]> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return [];
  // The other mode opens an empty page for each run. It is for frames of other sites.
  // A page that the player shows is judged where it is made.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe[src="/player"]');
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
