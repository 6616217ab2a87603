import type { ConsoleLanguage } from '../../contract/console-language.ts';
import type { ConsoleTheme } from '../../contract/console-theme.ts';
import {
  CONSOLE_LANGUAGE_COOKIE,
  CONSOLE_THEME_COOKIE,
  CONSOLE_ZONE_KEY,
} from '../../contract/page/storage-keys.ts';
import { type Store, createStore } from '../../contract/create-store.ts';

/** Whose clock the console shows: that of the browser, or UTC. */
export type ShownZone = 'browser' | 'utc';

/** What the operator chose in the header. */
export type Settings = {
  readonly language: ConsoleLanguage;
  readonly zone: ShownZone;
  readonly theme: ConsoleTheme;
};

export type SettingsStore = Store<Settings> & {
  /** Changes what is shown, and remembers it for the next time. */
  readonly change: (changes: Partial<Settings>) => void;
};

export type SettingsSources = {
  /** The language that the server sent the page in. It knows what the operator chose before, by the cookie. */
  readonly language: ConsoleLanguage;
  /** The theme that the server sent the page in. */
  readonly theme: ConsoleTheme;
  /** Only the server reads the cookies: the first picture of the page has the right language and colours. */
  readonly setCookie: (cookie: string) => void;
  /** May throw: browsers can be told to block storage. */
  readonly openStorage: () => Pick<Storage, 'getItem' | 'setItem'>;
};

const YEAR_S = 365 * 86_400;
const ZONES: readonly ShownZone[] = ['browser', 'utc'];

/** Creates the settings: those that the browser remembers, or else its own language and zone. */
export function createSettings({ language, theme, setCookie, openStorage }: SettingsSources): SettingsStore {
  const { getSnapshot, subscribe, set } = createStore<Settings>({
    language,
    zone: ZONES.find((zone) => zone === readZone()) ?? 'browser',
    theme,
  });
  return {
    getSnapshot,
    subscribe,
    change: (changes) => {
      set({ ...getSnapshot(), ...changes });
      if (changes.language !== undefined) keepCookie(CONSOLE_LANGUAGE_COOKIE, changes.language);
      if (changes.theme !== undefined) keepCookie(CONSOLE_THEME_COOKIE, changes.theme);
      if (changes.zone !== undefined) keepZone(changes.zone);
    },
  };

  function keepCookie(name: string, chosen: string): void {
    setCookie(`${name}=${chosen}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict`);
  }

  function readZone(): string | null {
    try {
      return openStorage().getItem(CONSOLE_ZONE_KEY);
    } catch {
      return null; // Storage is blocked: the choice holds until the page is closed.
    }
  }

  function keepZone(zone: ShownZone): void {
    try {
      openStorage().setItem(CONSOLE_ZONE_KEY, zone);
    } catch {
      // Storage is blocked or full: the choice holds until the page is closed.
    }
  }
}
