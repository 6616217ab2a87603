import { type Browser, chromium } from '@playwright/test';
import { BROWSERS } from '../e2e/support/browsers.ts';

/** The Chromium of the tests, for measurements. */
export function openChromium(): Promise<Browser> {
  return chromium.launch(BROWSERS.chromium.launchOptions);
}
