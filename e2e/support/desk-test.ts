import type { Page } from '@playwright/test';
import { readDatabasePlace } from '../../src/cli/read-database-place.ts';
import { CONSOLE_PATHS } from '../../src/contract/paths.ts';
import type { Role } from '../../src/contract/roles.ts';
import { test as base, expect, openView, openWindow } from './console-test.ts';
import { addPeople } from './sign-in-people.ts';
import { expectNoOthers, watchErrors } from './watch-errors.ts';

export { expect };

export const PERSON_HEADER = 'X-Webauth-User';

/** Of a portal on which editing is on, behind a proxy that signs people in. */
export const DESK_ENVIRONMENT = {
  WAYPOST_EDIT: 'on',
  WAYPOST_WATCH_LINES: 'on',
  WAYPOST_PRIVATE_LINES: 'on',
  PREVIEW_PORT: '0',
  WAYPOST_OPERATOR_HEADER: PERSON_HEADER,
  WAYPOST_OPERATOR_PROXIES: '127.0.0.1',
};

type DeskFixtures = {
  /** Opens a view of the console as a person of this role, in a browser window of their own. */
  readonly openAs: (role: Role, hash: string, name?: string) => Promise<Page>;
};

/** A test of the desk: a portal on which editing is on, behind a proxy that signs people in. */
export const test = base.extend<DeskFixtures>({
  environment: DESK_ENVIRONMENT,
  openAs: async ({ browser, portal, environment, consoleUrl, expectedErrors }, use) => {
    const errors: string[] = [];
    await use(async (role, hash, name = role) => {
      await addPeople(readDatabasePlace(`${portal.siteDir}-data`, environment), { [name]: role });
      const page = await openWindow(browser, { extraHTTPHeaders: { [PERSON_HEADER]: name } });
      watchErrors(page, errors);
      // The console knows a new person after a second.
      await expect(async () => {
        const answer = await page.request.get(`${consoleUrl}${CONSOLE_PATHS.overview}`);
        expect(answer.status()).toBe(200);
      }).toPass();
      await openView(page, consoleUrl, hash);
      return page;
    });
    expectNoOthers(errors, expectedErrors);
  },
});
