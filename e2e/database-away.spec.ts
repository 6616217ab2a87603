import { Client } from 'pg';
import { type TestPostgres, startPostgres } from '../src/server/testing/start-postgres.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { test as base, expect, expectNoViolation, openView } from './support/console-test.ts';

const test = base.extend<{ readonly postgres: TestPostgres }>({
  postgres: async ({}, use) => {
    const postgres = await startPostgres();
    await use(postgres);
    await postgres.close();
  },
  environment: async ({ postgres }, use) => {
    await use({ WAYPOST_WATCH_LINES: 'on', WAYPOST_DATABASE_URL: postgres.urlOf('postgres') });
  },
  probeEveryMs: 500,
});

test(
  'a database that is away, or whose history went back, is told of in the console, and nothing can be changed meanwhile',
  IN_CHROMIUM,
  async ({ page, lines, postgres, portal, consoleUrl, expectedErrors }) => {
    // What takes an incident, and what lists the moments of the past, answer that the database is away.
    expectedErrors.push(/503 \(Service Unavailable\) \S+\/(incidents\/take|moments)$/);
    await openView(page, consoleUrl);
    await expect(page.getByText('PostgreSQL is reachable')).toBeVisible();
    lines.set('line2.localhost', { fault: 'refuse' });
    await openView(page, consoleUrl, '#/incidents');
    const take = page.getByRole('button', { name: 'Take it' });
    await expect(take).toBeVisible();

    await postgres.kill();
    await openView(page, consoleUrl);
    await expect(page.getByText(/^The database has not answered since \d\d:\d\d/)).toBeVisible();
    await expectNoViolation(page, 'the database is away');
    expect((await fetch(portal.url)).status).toBe(200);
    await openView(page, consoleUrl, '#/incidents');
    await take.click();
    await expect(page.getByText('Nothing was changed: the database is away. Try again later.')).toBeVisible();

    await postgres.start();
    await expect(async () => {
      await take.click();
      await expect(page.getByText('loopback').first()).toBeVisible();
    }).toPass();
    await openView(page, consoleUrl);
    await expect(page.getByText('PostgreSQL is reachable')).toBeVisible();
    await goBack(postgres.urlOf('postgres'));
    await expect(page.getByText(/^The history of the database went back at \d\d:\d\d/)).toBeVisible();
    await expectNoViolation(page, 'the history of the database went back');
  },
);

/** As after a restore of an older backup. */
async function goBack(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query("update topics set number = 0, tag = 'restored'");
  await client.end();
}
