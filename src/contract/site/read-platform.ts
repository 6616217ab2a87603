import { PLATFORMS, type Platform } from './campaign-ends.ts';

/** What browsers of each system write into their names. An iPad calls itself a Macintosh, so it is a desktop here. */
const WORDS: Readonly<Record<Platform, readonly string[]>> = {
  ios: ['iPhone', 'iPad', 'iPod'],
  android: ['Android'],
  desktop: ['Windows', 'Macintosh', 'X11', 'CrOS'],
};

/** The system of a device, by the name of its browser. */
export function readPlatform(userAgent: string): Platform {
  return PLATFORMS.find((platform) => WORDS[platform].some((word) => userAgent.includes(word))) ?? 'desktop';
}

/** One of these words is in the name of each browser of these systems. */
export function listPlatformWords(platforms: readonly Platform[]): readonly string[] {
  return platforms.flatMap((platform) => WORDS[platform]);
}
