import type { DeskState } from '../src/contract/desk/desk.ts';
import { startPostgres } from '../src/server/testing/start-postgres.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { DESK_ENVIRONMENT, PERSON_HEADER, expect, test } from './support/desk-test.ts';
import { startPortal } from './support/start-portal.ts';
import { nameLines } from './support/test.ts';

test.use({
  // One of the four line hosts is left to replace another with.
  changes: async ({ lines }, use) => {
    const hosts = ['line1', 'line2', 'line3'].map((host) => `http://${host}.localhost:${lines.ports[0]}`);
    await use({ site: { lines: { marker: 'waypost-test', hosts } } });
  },
  environment: async ({}, use) => {
    const postgres = await startPostgres();
    await use({
      ...DESK_ENVIRONMENT,
      WAYPOST_DATABASE_URL: await postgres.createDatabase(),
      WAYPOST_OPS_TOKEN: 'a-token-of-this-test',
    });
    await postgres.close();
  },
});

// What browsers do here, the other tests of the desk do in both engines.
test(
  'what is published and brought back on one portal is seen on another one',
  IN_CHROMIUM,
  async ({ openAs, page: visitor, consoleUrl, lines, changes, environment }) => {
    const withPort = (host: string): string => `http://${host}.localhost:${lines.ports[0]}`;
    const other = await startPortal(nameLines(lines, changes), environment);
    const api = `${other.opsUrl.replace('127.0.0.1', 'localhost')}/api/console`;
    /** Asks as the same person, whom the other portal must know by then. */
    const waitForVersion = (number: number): Promise<void> =>
      expect(async () => {
        const state = await visitor.request.get(`${api}/desk`, { headers: { [PERSON_HEADER]: 'editor' } });
        expect((await state.json()) as DeskState).toMatchObject({ current: { number, by: 'editor' } });
      }).toPass({ intervals: [100] });
    try {
      const lineOf = (host: string) => visitor.locator(`[data-row] a[href*=".${host}.localhost"]`);
      const page = await openAs('editor', '#/site/lines');
      const line2 = `line2.localhost:${lines.ports[0]}`;
      await page.getByRole('button', { name: `Replace ${line2}` }).click();
      await page.getByLabel(`Replace ${line2} with`).fill(withPort('line4'));
      await page.getByRole('button', { name: 'Only in the draft' }).click();
      await expect(page.getByText('Saved in your draft')).toBeVisible();
      await page.getByRole('button', { name: 'Publish …' }).click();
      await page.getByRole('button', { name: 'Publish now' }).click();
      await expect(page.getByText('Live as version 2.')).toBeVisible();
      await waitForVersion(2);
      // It is served a moment after it is known.
      await expect(async () => {
        await visitor.goto(other.url);
        await expect(lineOf('line4')).toBeVisible({ timeout: 2_000 });
      }).toPass();
      await expect(lineOf('line2')).toHaveCount(0);

      await page.goto(`${consoleUrl}/#/site/versions`);
      await page.getByRole('button', { name: 'Bring back version 1' }).click();
      await page.getByRole('button', { name: 'Bring it back' }).click();
      await expect(page.getByText('Live as version 3.')).toBeVisible();
      await waitForVersion(3);
      await expect(async () => {
        await visitor.reload();
        await expect(lineOf('line2')).toBeVisible({ timeout: 2_000 });
      }).toPass();
      // The audit log says what happened, and who did it.
      await expect(async () => {
        const headers = { Authorization: `Bearer ${environment['WAYPOST_OPS_TOKEN']}` };
        const audit = await (
          await page.request.get(`${consoleUrl}/api/console/audit.jsonl`, { headers })
        ).text();
        expect(audit).toMatch(/"by":"editor","action":"rolled-back","to":"version 1"/);
      }).toPass();
    } finally {
      await other.close();
    }
  },
);
