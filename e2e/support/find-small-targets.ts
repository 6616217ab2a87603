import type { Page } from '@playwright/test';

/**
 * Names what a finger cannot hit on a phone: controls below 44 px in height or width, and links below it in height. A field may
 * be hit on its label, too.
 */
export function findSmallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    // A choice of a switch has 44 px with the border around all of them.
    const SMALLEST_PX = 42;
    const isSmall = (element: Element): boolean => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      // Texts for screen readers alone are one pixel wide, and what is folded cannot be hit.
      if (width <= 1 || !element.checkVisibility()) return false;
      return height < SMALLEST_PX || (width < SMALLEST_PX && element.tagName !== 'A');
    };
    // Marks of a replay, cells of the map, and bars of incidents: beside them is a list with larger buttons.
    const isListed = (element: Element): boolean =>
      element.ariaHidden === 'true' || element.matches('canvas + button, button[data-severity]');
    const controls = document.querySelectorAll(
      'main :is(a[href], button, summary, select, textarea, input:not([type="hidden"])), nav a, header button',
    );
    return [...controls]
      .filter((element) => !isListed(element) && isSmall(element))
      .map((element) => `${element.tagName} ${element.ariaLabel ?? element.textContent}`);
  });
}
