import type { Portal, PortalEnvironment, PortalHost } from './create-portal-host.ts';
import type { SiteChanges } from './make-site-folder.ts';

/** Portals that tests of one worker take turns to use. */
export type PortalPool = {
  /** The portal of such a site folder and environment; the first to ask starts it. */
  readonly take: (changes: SiteChanges, environment: PortalEnvironment) => Promise<Portal>;
  readonly close: () => Promise<void>;
};

/** Most tests use the plain site, and a spec has at most a few others. One that nobody uses takes a hundredth of a core. */
const MAX_OPEN = 4;

/** Keeps portals open for the next test that wants the same. Beyond four, it closes the one that was unused for longest. */
export function createPortalPool({ start }: Pick<PortalHost, 'start'>): PortalPool {
  const open = new Map<string, Promise<Portal>>();

  async function end(key: string): Promise<void> {
    const portal = open.get(key);
    open.delete(key);
    await (await portal)?.close();
  }

  return {
    async take(changes, environment) {
      const key = JSON.stringify([changes, environment]);
      const portal = open.get(key) ?? start(changes, environment);
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
