import { DESKTOP_MEDIA } from '../../contract/limits.ts';
import type { Device } from '../../contract/visitors.ts';

export type ReadDevice = () => Device;

/** Tells whether the page has the shape for phones or for desktops now, by the media query of its styles. */
export function createReadDevice(page: Pick<Window, 'matchMedia'>): ReadDevice {
  const desktop = page.matchMedia(DESKTOP_MEDIA);
  return () => (desktop.matches ? 'pc' : 'mobile');
}
