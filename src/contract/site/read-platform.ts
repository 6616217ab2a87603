import { PLATFORMS, type Platform } from './campaign-ends.ts';

/** What an iPad has, and a Mac that gives the same name has not. */
export const IPAD_WORDS = 'Mac.*~[1-9]';

/**
 * What browsers of each system write into their names, as a regular expression. After the name and a "~" comes how many fingers the
 * screen can tell apart, because an iPad calls itself a Macintosh.
 */
const WORDS: Readonly<Record<Platform, string>> = {
  ios: `iPhone|iPad|iPod|${IPAD_WORDS}`,
  android: 'Android',
  desktop: 'Windows|Mac.*~[^1-9]|X11|CrOS',
};

/** The system of a device, by the name of its browser. Nothing else is known before its page runs a script. */
export function readPlatform(userAgent: string): Platform {
  const name = `${userAgent}~0`;
  return PLATFORMS.find((platform) => new RegExp(WORDS[platform]).test(name)) ?? 'desktop';
}

/** Whether the name is that of a Mac, which every iPad takes, too. */
export function mayBeIpad(userAgent: string): boolean {
  return userAgent.includes('Macintosh');
}

/** Fits the names of the browsers of these systems. */
export function listPlatformWords(platforms: readonly Platform[]): string {
  return platforms.map((platform) => WORDS[platform]).join('|');
}
