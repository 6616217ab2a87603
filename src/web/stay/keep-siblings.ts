import { readHostList } from '../../contract/api/host-entry.ts';
import { STAY_DAYS, STAY_REFRESH_MS } from '../../contract/limits.ts';
import { readKeptLines } from '../../contract/page/kept-lines.ts';
import { STAY_CACHE } from '../../contract/page/storage-keys.ts';
import { STAY_KEPT_PATH } from '../../contract/paths.ts';
import type { Siblings } from '../../engine/redirect/find-sibling.ts';

/** What the browser keeps of a line for a time without it. */
type Kept = {
  /** When the portal was last asked, in ms since 1970. */
  readonly askedAt: number;
  /** The origin of the portal. Undefined after the portal has refused this visitor: then nobody is moved. */
  readonly portal?: string;
  /** The siblings, and when they were given. Undefined where the site keeps nothing. */
  readonly at?: number;
} & Partial<Siblings>;

export type SiblingKeeper = {
  /** The portal, and the siblings of the last day. Undefined if there is no portal to ask. */
  readonly read: () => Promise<
    { readonly portal: string; readonly siblings: Siblings | undefined } | undefined
  >;
  /** Takes the portal of a page. True if it is time to ask for siblings. */
  readonly open: (portal: string) => Promise<boolean>;
  readonly write: (siblings: Siblings) => Promise<void>;
  /** Deletes everything but the time of the call, so that the portal is not asked again at once. */
  readonly forget: () => Promise<void>;
};

/** Keeps the siblings of a line in the line's own origin. */
export function createSiblingKeeper(caches: Pick<CacheStorage, 'open'>, now: () => number): SiblingKeeper {
  async function load(): Promise<Kept | undefined> {
    const cache = await caches.open(STAY_CACHE);
    const text = await (await cache.match(STAY_KEPT_PATH))?.text();
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  }
  async function save(kept: Kept): Promise<void> {
    const cache = await caches.open(STAY_CACHE);
    await cache.put(STAY_KEPT_PATH, new Response(JSON.stringify(kept)));
  }
  return {
    async read() {
      const { portal, rules, ...kept } = (await load()) ?? {};
      if (portal === undefined) return undefined;
      const lines = rules && readKeptLines(JSON.stringify(kept), STAY_DAYS, now());
      return { portal, siblings: lines && rules && { hosts: readHostList(lines.hosts), rules } };
    },
    async open(portal) {
      const kept = await load();
      // Before the last call, the clock was set back.
      const age = kept ? now() - kept.askedAt : -1;
      const isOther = kept?.portal !== undefined && kept.portal !== portal;
      if (age >= 0 && age < STAY_REFRESH_MS && !isOther) return false;
      await save({ ...(isOther ? {} : kept), portal, askedAt: now() });
      return true;
    },
    async write({ hosts, rules }) {
      const { portal, askedAt } = (await load()) ?? {};
      if (portal === undefined || askedAt === undefined) return;
      await save(rules.mayKeep ? { portal, askedAt, at: now(), hosts, rules } : { portal, askedAt });
    },
    forget: () => save({ askedAt: now() }),
  };
}
