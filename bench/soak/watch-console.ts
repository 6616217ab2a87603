import type { Browser } from '@playwright/test';
import { PUBLISHER_HEADERS } from '../publish-version.ts';

const PATIENCE_MS = 45_000;

export type ConsoleWatch = {
  readonly errors: readonly string[];
  readonly close: () => Promise<void>;
};

/** Opens the console's overview, which is kept up to date while it is open. */
export async function watchConsole(browser: Browser, opsUrl: string): Promise<ConsoleWatch> {
  const context = await browser.newContext({ extraHTTPHeaders: PUBLISHER_HEADERS, locale: 'en' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('response', (answer) => {
    if (answer.status() >= 500) errors.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(opsUrl);
  await page.getByText('line40.localhost').first().waitFor({ timeout: PATIENCE_MS });
  return { errors, close: () => context.close() };
}
