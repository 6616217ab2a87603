import type { Page } from '@playwright/test';

/**
 * Finds texts that do not fit, by measuring their lines: one that is cut off, that leaves its box or the window, or that
 * lies over another text. Of an open dialog, only what is in it counts.
 */
export function findMisfits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    type Line = { readonly text: Text; readonly box: DOMRect };
    // A line of text is higher than its letters, so lines may overlap by a little.
    const EMPTY_PART = 0.25;
    const TOLERANCE_PX = 1;

    const describe = ({ text, box }: Line): string =>
      `"${text.data.trim()}" in ${text.parentElement?.className || text.parentElement?.tagName} at ${box.x.toFixed()},${box.y.toFixed()}`;

    function linesOf(text: Text): readonly Line[] {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()]
        .filter(({ width, height }) => width > TOLERANCE_PX && height > TOLERANCE_PX)
        .map(({ x, y, width, height }) => ({
          text,
          box: new DOMRect(x, y + height * EMPTY_PART, width, height * (1 - 2 * EMPTY_PART)),
        }));
    }

    function isInside(inner: DOMRect, outer: DOMRect): boolean {
      return (
        inner.left >= outer.left - TOLERANCE_PX &&
        inner.right <= outer.right + TOLERANCE_PX &&
        inner.top >= outer.top - TOLERANCE_PX &&
        inner.bottom <= outer.bottom + TOLERANCE_PX
      );
    }

    /** Whether a line leaves its own box, a box around it that hides what leaves it, or the window's sides. */
    function isCutOff({ text, box }: Line): boolean {
      const page = new DOMRect(0, -1e6, document.documentElement.clientWidth, 2e6);
      if (!isInside(box, page)) return true;
      let isOwn = true;
      for (let element = text.parentElement; element; element = element.parentElement) {
        const { display, overflowX } = getComputedStyle(element);
        if (display === 'inline' || display === 'contents') continue;
        if ((isOwn || overflowX !== 'visible') && !isInside(box, element.getBoundingClientRect()))
          return true;
        isOwn = false;
      }
      return false;
    }

    function overlap(first: DOMRect, second: DOMRect): boolean {
      const width = Math.min(first.right, second.right) - Math.max(first.left, second.left);
      const height = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
      return width > TOLERANCE_PX && height > TOLERANCE_PX;
    }

    // A text that a tap shows whole may be cut off until then.
    const isFolded = (element: Element): boolean => element.closest('details:not([open])') !== null;

    const lines: Line[] = [];
    const root = document.querySelector('dialog') ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const { parentElement } = text;
      const isShown =
        parentElement?.closest('.visually-hidden, script, style, noscript, [hidden]') === null &&
        getComputedStyle(parentElement).visibility === 'visible';
      if (isShown && !isFolded(parentElement) && text.data.trim() !== '') lines.push(...linesOf(text));
    }
    const overlapping = lines.flatMap((first, index) =>
      lines
        .slice(index + 1)
        .filter((second) => second.text !== first.text && overlap(first.box, second.box))
        .map((second) => `${describe(first)} lies over ${describe(second)}`),
    );
    return [...lines.filter(isCutOff).map((line) => `${describe(line)} does not fit`), ...overlapping];
  });
}
