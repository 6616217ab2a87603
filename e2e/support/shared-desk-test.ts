import type { Page } from '@playwright/test';
import { DESK_PATHS } from '../../src/contract/paths.ts';
import type { DeskState } from '../../src/contract/desk/desk.ts';
import type { Role } from '../../src/contract/roles.ts';
import type { LineHosts } from '../../src/line/start-line-hosts.ts';
import { test as base, expect, openView, openWindow } from './console-test.ts';
import { PASSWORD, addPeople, makeCode, readCookie, signIn } from './sign-in-people.ts';
import type { Portal, PortalHost } from './create-portal-host.ts';
import { expectNoOthers, watchErrors } from './watch-errors.ts';

export { expect, makeCode };

const PEOPLE: Readonly<Record<string, Role>> = {
  owner: 'owner',
  editor: 'editor',
  viewer: 'viewer',
  mei: 'editor',
  li: 'editor',
};

/** Somebody who is not signed in yet. */
export const NEWCOMER = { name: 'zhang', password: PASSWORD } as const;

type DeskFixtures = {
  /** Opens a view of the console as a person of this role, in a browser window of their own. */
  readonly openAs: (role: Role, hash: string, name?: string) => Promise<Page>;
  /** Signs a person in whose session has ended. */
  readonly signInAgain: (page: Page, name: string) => Promise<void>;
  readonly sharedDesk: SharedDesk;
};

/** A portal, and the session of each person. */
type SharedDesk = { readonly portal: Portal; readonly sessions: ReadonlyMap<string, string> };

/** A test of the desk on the portal of its file, see `shareDesk`. Each finds the first version live and no drafts. */
export const test = base.extend<DeskFixtures>({
  sharedDesk: async ({}, _use) => {
    throw new Error('call shareDesk() before the first test of the file');
  },
  portal: async ({ sharedDesk, lines }, use) => {
    // For the lines, which are put right before each test.
    void lines;
    await startOver(sharedDesk);
    await use(sharedDesk.portal);
  },
  signInAgain: async ({ sharedDesk, consoleUrl }, use) => {
    await use((page, name) =>
      page.context().addCookies([readCookie(consoleUrl, sharedDesk.sessions.get(name) ?? '')]),
    );
  },
  openAs: async ({ browser, consoleUrl, expectedErrors, signInAgain }, use) => {
    const errors: string[] = [];
    const opened: Page[] = [];
    await use(async (role, hash, name = role) => {
      const page = await openWindow(browser);
      await signInAgain(page, name);
      opened.push(page);
      watchErrors(page, errors);
      await openView(page, consoleUrl, hash);
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
    expectNoOthers(errors, expectedErrors);
  },
});

/** Gives all tests of a file one portal. The first test starts it. */
export function shareDesk(): void {
  let desk: Promise<SharedDesk> | undefined;
  test.use({
    sharedDesk: async ({ portalHost, sharedLines }, use) => {
      desk ??= startSharedDesk(portalHost, sharedLines);
      await use(await desk);
    },
  });
  // It probes the lines, and the tests of other files count the requests that reach them.
  test.afterAll(async () => (await desk)?.portal.close());
}

/** Starts a portal with three of the four line hosts, so that one is left to replace another with, and signs people in. */
async function startSharedDesk(host: PortalHost, { ports }: LineHosts): Promise<SharedDesk> {
  const withPort = (host: string): string => `http://${host}.localhost:${ports[0]}`;
  const portal = await host.start(
    {
      site: {
        lines: {
          marker: 'waypost-test',
          hosts: ['line1', 'line2', 'line3'].map(withPort),
          fallback: ['backup1', 'backup2', 'backup3', 'backup4'].map(withPort),
        },
      },
    },
    {
      WAYPOST_EDIT: 'on',
      WAYPOST_WATCH_LINES: 'on',
      WAYPOST_PRIVATE_LINES: 'on',
      WAYPOST_PRIVATE_ALERTS: 'on',
      PREVIEW_PORT: '0',
    },
    // A test that breaks a line waits for the server to see it.
    1_000,
  );
  await addPeople({ dataDir: `${portal.siteDir}-data` }, { ...PEOPLE, [NEWCOMER.name]: 'editor' });
  return { portal, sessions: await signEverybodyIn(portal) };
}

/** Signs everybody in but the newcomer. */
async function signEverybodyIn({ opsUrl }: Portal): Promise<ReadonlyMap<string, string>> {
  const sessions = new Map<string, string>();
  for (const name of Object.keys(PEOPLE)) {
    await expect(async () => {
      const cookie = await signIn(opsUrl, name);
      expect(cookie).toBeDefined();
      sessions.set(name, cookie ?? '');
    }).toPass();
  }
  return sessions;
}

/** Makes the first version live again, and discards every draft. */
async function startOver({ portal, sessions }: SharedDesk): Promise<void> {
  for (const [name, role] of Object.entries(PEOPLE)) {
    if (role !== 'viewer') await call(name, DESK_PATHS.discard, {});
  }
  // Editing is on.
  const { current } = (await (await call('owner', DESK_PATHS.state)).json()) as Extract<
    DeskState,
    { isOn: true }
  >;
  // Refused if nothing differs.
  if (current.number > 1)
    await call('owner', DESK_PATHS.restore, { number: 1, why: '', basedOn: current.number });

  function call(name: string, path: string, body?: object): Promise<Response> {
    const { opsUrl } = portal;
    return fetch(`${opsUrl}${path}`, {
      headers: {
        Cookie: sessions.get(name) ?? '',
        Origin: opsUrl,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  }
}
