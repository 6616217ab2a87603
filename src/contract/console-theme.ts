/** The colours of the console: those of the operator's system, or one of the two. */
export const CONSOLE_THEMES = ['system', 'light', 'dark'] as const;

export type ConsoleTheme = (typeof CONSOLE_THEMES)[number];

/** The theme of a name; the system's where there is none of that name. */
export function findConsoleTheme(name: string | undefined): ConsoleTheme {
  return CONSOLE_THEMES.find((theme) => theme === name) ?? 'system';
}
