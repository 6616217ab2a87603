import type { Platform } from './campaign-settings.ts';

/**
 * The system of a device. Only its page can tell an iPad from a Mac, by the fingers that its screen takes: iPads name
 * themselves Macintosh.
 */
export function readPlatform(userAgent: string, touchPoints = 0): Platform {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (userAgent.includes('Macintosh') && touchPoints > 1) return 'ios';
  return userAgent.includes('Android') ? 'android' : 'desktop';
}
