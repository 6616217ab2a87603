import { type Browser, chromium } from '@playwright/test';
import { BROWSERS } from '../e2e/support/browsers.ts';

/** The Chromium of the tests, for measurements, with these additional arguments. */
export function openChromium(more: readonly string[] = []): Promise<Browser> {
  const { args, ...options } = BROWSERS.chromium.launchOptions;
  return chromium.launch({ ...options, args: [...args, ...more] });
}
