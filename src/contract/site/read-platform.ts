import { PLATFORMS, type Platform } from './campaign-ends.ts';

/** What an iPad has, and a Mac that gives the same name has not. */
const IPAD = /^[1-9].*Mac/;
export const IPAD_WORDS = IPAD.source;

/**
 * What browsers of each system write into their names. Before the name stands how many fingers the screen can tell apart, because an
 * iPad calls itself a Macintosh. It stands there, and not behind, so that a name of a thousand times "Mac" is searched once.
 */
const WORDS: Readonly<Record<Platform, readonly RegExp[]>> = {
  ios: [/iPhone|iPad|iPod/, IPAD],
  android: [/Android/],
  desktop: [/Windows|^[^1-9].*Mac|X11|CrOS/],
};

/** The system of a device, by the name of its browser. Nothing else is known before its page runs a script. */
export function readPlatform(userAgent: string): Platform {
  const name = `0 ${userAgent}`;
  return PLATFORMS.find((platform) => WORDS[platform].some((words) => words.test(name))) ?? 'desktop';
}

/** Whether the name is that of a Mac, which every iPad takes, too. */
export function mayBeIpad(userAgent: string): boolean {
  return userAgent.includes('Macintosh');
}

/** Fits the names of the browsers of these systems. */
export function listPlatformWords(platforms: readonly Platform[]): string {
  return platforms.flatMap((platform) => WORDS[platform].map(({ source }) => source)).join('|');
}
