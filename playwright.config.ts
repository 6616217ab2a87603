import { defineConfig } from '@playwright/test';
import { BROWSERS } from './e2e/support/browsers.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: { locale: 'zh-CN', actionTimeout: 15_000 },
  projects: Object.entries(BROWSERS).map(([name, use]) => ({ name, use })),
});
