import { type Portal, type PortalEnvironment, startPortal } from './start-portal.ts';
import type { SiteChanges } from './make-site-folder.ts';

/** Portals that tests of one worker take turns to use. */
export type PortalPool = {
  /** The portal of such a site folder and environment; the first to ask starts it. */
  readonly take: (changes: SiteChanges, environment: PortalEnvironment) => Promise<Portal>;
  readonly close: () => Promise<void>;
};

/** Most tests use the plain site. A spec has at most a few others, and starting a portal takes two seconds of a core. */
const MAX_OPEN = 4;

/** Creates a pool. Beyond four portals, it closes the one that was unused for longest. */
export function createPortalPool(): PortalPool {
  const open = new Map<string, Promise<Portal>>();

  async function end(key: string): Promise<void> {
    const portal = open.get(key);
    open.delete(key);
    await (await portal)?.close();
  }

  return {
    async take(changes, environment) {
      const key = JSON.stringify([changes, environment]);
      const portal = open.get(key) ?? startPortal(changes, environment);
      open.delete(key);
      open.set(key, portal);
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) await end(oldest);
      return portal;
    },
    async close() {
      await Promise.all([...open.keys()].map(end));
    },
  };
}
