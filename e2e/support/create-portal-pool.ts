import { type Portal, type PortalEnvironment, startPortal } from './start-portal.ts';
import type { SiteChanges } from './make-site-folder.ts';

/** Portals that tests of one worker take turns to use. */
export type PortalPool = {
  /** The portal of such a site folder and environment; the first to ask starts it. */
  readonly take: (changes: SiteChanges, environment: PortalEnvironment) => Promise<Portal>;
  readonly close: () => Promise<void>;
};

/** Tests run file by file: most use the plain site, and those with the same other site are next to each other. */
const MAX_OPEN = 2;

/** Creates a pool. Beyond two portals, it closes the one that was unused for longest. */
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
