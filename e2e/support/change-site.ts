import { type Locator, type Page, expect } from '@playwright/test';

/**
 * Types over what a field has, key by key. In Firefox, Playwright's `fill` sets the value with a script, in a way that React
 * does not notice.
 */
export async function typeInstead(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(text);
}

/** Changes a field and leaves it, and waits until it is in the draft. */
export async function changeField(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: label, exact: true });
  await field.fill(text);
  await field.press('Tab');
  await expect(page.getByText('Saved in your draft')).toBeVisible();
}

/** Publishes the draft without a reason. */
export async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
}

/** Waits until a publication is live. */
export async function readLiveVersion(page: Page): Promise<number> {
  const notice = page.getByText(/^Live as version \d+\.$/);
  await expect(notice).toBeVisible();
  return Number(/\d+/.exec((await notice.textContent()) ?? '')?.[0]);
}

/** Opens a part of the site, once all that was changed is saved. */
export async function openPart(page: Page, name: string): Promise<void> {
  await expect(page.getByText('Saving …')).toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Parts of the site' })
    .getByRole('link', { name, exact: true })
    .click();
}
