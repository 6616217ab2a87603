/**
 * Where the focus goes when an item is removed: to the next one, else to the one before, else to the heading of its panel.
 * Otherwise the focus falls to the page, and a person who uses the keyboard starts again at its top. Call it before the item is
 * removed.
 */
export function findNeighbour(item: Element | null): Element | null {
  const heading = item?.closest('section')?.querySelector('h2');
  return item?.nextElementSibling ?? item?.previousElementSibling ?? heading ?? null;
}

/** Gives the focus to something that nobody reaches by Tab. */
export function focusOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus();
}
