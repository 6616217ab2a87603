/**
 * Reads colours of the page as `#rrggbb`, by the names of their tokens: a canvas cannot use custom properties, and a token holds
 * one colour for light and one for dark. The browser decides which of them a real property has.
 */
export function readColours<Name extends string>(
  place: HTMLElement,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const probe = document.createElement('span');
  place.after(probe);
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, writeHex(getComputedStyle(probe).color)] as const;
  });
  probe.remove();
  return Object.fromEntries(colours) as Record<Name, string>;
}

/** Writes "rgb(179, 32, 31)" as "#b3201f". */
export function writeHex(colour: string): string {
  const channels = (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number);
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
