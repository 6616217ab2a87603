import { DESKTOP_MIN_WIDTH_PX } from '../../contract/limits.ts';

/** By the name that analytics and monitoring have for it. */
export type Device = 'mobile' | 'pc';

export type ReadDevice = () => Device;

/** Tells which of its two shapes the page has now, by the query that its styles go by. */
export function createReadDevice(page: Pick<Window, 'matchMedia'>): ReadDevice {
  const desktop = page.matchMedia(`(min-width: ${DESKTOP_MIN_WIDTH_PX}px)`);
  return () => (desktop.matches ? 'pc' : 'mobile');
}
