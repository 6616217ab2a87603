import { type Page, expect } from '@playwright/test';

/** Adds to a list what a page complains about: errors that nobody caught, and those in its console. */
export function watchErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
}

/** Fails if there is an error that the test does not bring about on purpose. */
export function expectNoOthers(errors: readonly string[], expectedErrors: readonly RegExp[]): void {
  expect(errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual([]);
}
