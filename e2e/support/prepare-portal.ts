import { rm } from 'node:fs/promises';
import type { PortalEnvironment } from './create-portal-host.ts';
import { makeSiteFolder, type SiteChanges } from './make-site-folder.ts';

type PreparedPortal = {
  readonly siteDir: string;
  /** The options of `waypost serve`, with free ports. */
  readonly args: readonly string[];
  readonly environment: PortalEnvironment;
  /** Removes the folders. */
  readonly remove: () => Promise<unknown>;
};

/** Makes the folders of a portal, and says how to start it in them. */
export async function preparePortal(
  changes: SiteChanges,
  environment: PortalEnvironment,
): Promise<PreparedPortal> {
  const site = await makeSiteFolder(changes);
  const dataDir = `${site.dir}-data`;
  const folders = ['--site', site.dir, '--data', dataDir];
  return {
    siteDir: site.dir,
    args: [...folders, '--host', '127.0.0.1', '--port', '0', '--ops-port', '0'],
    // The tests count the requests that reach a line, and these must come only from their pages.
    environment: { WAYPOST_WATCH_LINES: 'off', ...environment },
    remove: () => Promise.all([site.remove(), rm(dataDir, { recursive: true, force: true })]),
  };
}

/** The address of a portal by its name, as a visitor of the demo would write it: the guard of /t knows "localhost". */
export function nameLocalhost(url: string): string {
  return `http://localhost:${new URL(url).port}`;
}
