/**
 * Where the focus goes when an item is removed: to the next one, else to the one before, else to the heading of its panel.
 * Otherwise it falls to the page, and whoever goes by keyboard starts again at its top. To be asked before the item is gone.
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
