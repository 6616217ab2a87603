import { DESKTOP_MIN_WIDTH_PX } from '../../contract/limits.ts';
import type { Device } from '../../contract/visitors.ts';

export type ReadDevice = () => Device;

/** Tells whether the page has the shape for phones or for desktops now, by the media query of its styles. */
export function createReadDevice(page: Pick<Window, 'matchMedia'>): ReadDevice {
  const desktop = page.matchMedia(`(min-width: ${DESKTOP_MIN_WIDTH_PX}px)`);
  return () => (desktop.matches ? 'pc' : 'mobile');
}
