import { CONSOLE_LANGUAGES, type ConsoleLanguage, findConsoleLanguage } from '../../contract/console.ts';
import { CONSOLE_LANGUAGE_KEY, CONSOLE_ZONE_KEY } from '../../contract/page/storage-keys.ts';
import { type Store, createStore } from '../../contract/store.ts';

/** Whose clock the console shows: that of the browser, or UTC. */
export type ShownZone = 'browser' | 'utc';

/** What the operator chose in the header. */
export type Settings = { readonly language: ConsoleLanguage; readonly zone: ShownZone };

export type SettingsStore = Store<Settings> & {
  /** Changes what is shown, and remembers it for the next time. */
  readonly change: (changes: Partial<Settings>) => void;
};

export type SettingsSources = {
  /** The browser's languages, the preferred one first. */
  readonly languages: readonly string[];
  /** May throw: browsers can be told to block storage. */
  readonly openStorage: () => Pick<Storage, 'getItem' | 'setItem'>;
};

const KEYS = { language: CONSOLE_LANGUAGE_KEY, zone: CONSOLE_ZONE_KEY } as const;
const ZONES: readonly ShownZone[] = ['browser', 'utc'];

/** Creates the settings: those that the browser remembers, or else the browser's own language and zone. */
export function createSettings({ languages, openStorage }: SettingsSources): SettingsStore {
  const { getSnapshot, subscribe, set } = createStore<Settings>({
    language:
      CONSOLE_LANGUAGES.find((language) => language === read('language')) ?? findConsoleLanguage(languages),
    zone: ZONES.find((zone) => zone === read('zone')) ?? 'browser',
  });
  return {
    getSnapshot,
    subscribe,
    change: (changes) => {
      set({ ...getSnapshot(), ...changes });
      if (changes.language !== undefined) write('language', changes.language);
      if (changes.zone !== undefined) write('zone', changes.zone);
    },
  };

  function read(name: keyof Settings): string | null {
    try {
      return openStorage().getItem(KEYS[name]);
    } catch {
      return null; // Storage is blocked: the choice holds until the page is closed.
    }
  }

  function write(name: keyof Settings, value: string): void {
    try {
      openStorage().setItem(KEYS[name], value);
    } catch {
      // Storage is blocked or full: the choice holds until the page is closed.
    }
  }
}
