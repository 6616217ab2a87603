import type { Page } from '@playwright/test';

/** Names what is wider than its place: the page itself, and texts whose overflow is hidden. What scrolls is not cut off. */
export function findCutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element): boolean =>
      getComputedStyle(element).overflowX === 'hidden' &&
      // Texts for screen readers alone are one pixel wide.
      element.clientWidth > 1 &&
      element.scrollWidth > element.clientWidth;
    const cut = [...document.querySelectorAll('body *')].filter(isCut);
    const { scrollWidth, clientWidth } = document.documentElement;
    const all = scrollWidth > clientWidth ? [document.documentElement, ...cut] : cut;
    return all.map(({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 60)}`);
  });
}
