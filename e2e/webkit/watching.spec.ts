import { CONSENT_KEY, SESSION_KEY, VISIT_KEY } from '../../src/contract/page/storage-keys.ts';
import type { WebKitPage } from './support/create-page.ts';
import { PHONE, expect, takeShot, test, waitUntilReady } from './support/webkit-test.ts';

const BAR = 'section[aria-label="隐私设置"]';

test.describe('where consent is required', () => {
  test.use({
    viewport: PHONE,
    observation: { hasTag: true, hasIntake: true, consent: 'required', replayPercent: 100 },
  });

  test('nothing is kept, loaded or sent before the visitor agrees, then all of it, until it is taken back', async ({
    webkit,
    intake,
    tagHost,
  }) => {
    await webkit.goto('/');
    await waitUntilReady(webkit);
    await test.step('before', async () => {
      await expect.poll(() => webkit.texts(BAR)).toHaveLength(1);
      await takeShot(webkit, 'consent-390');
      expect([tagHost.asked.length, intake.requests()]).toEqual([0, 0]);
      expect(await keptKeys(webkit)).toEqual([]);
    });
    await test.step('after', async () => {
      await webkit.click('button', '同意');
      await expect.poll(() => tagHost.asked.length).toBe(1);
      await expect.poll(() => intake.records().at(-1)?.replay).toBe('recording');
      expect(await keptKeys(webkit)).toEqual([CONSENT_KEY, SESSION_KEY, VISIT_KEY].toSorted());
    });
    await test.step('the replay’s first segment arrives when the page is left', async () => {
      await webkit.leave();
      await expect.poll(() => intake.segments().map(({ number }) => number)).toContain(1);
    });
    await test.step('taken back', async () => {
      await webkit.goto('/');
      await waitUntilReady(webkit);
      await webkit.click('button', '隐私设置');
      await expect.poll(() => webkit.texts(BAR)).toHaveLength(1);
      await webkit.click('button', '拒绝');
      await expect.poll(() => webkit.texts(BAR)).toEqual([]);
      expect(await keptKeys(webkit)).toEqual([CONSENT_KEY]);
      const asked = tagHost.asked.length;
      await webkit.goto('/');
      await waitUntilReady(webkit);
      expect(await webkit.texts(BAR)).toEqual([]);
      expect(tagHost.asked).toHaveLength(asked);
    });
  });

  test('a refusal is remembered', async ({ webkit, intake, tagHost }) => {
    await webkit.goto('/');
    await webkit.click('button', '拒绝');
    await expect.poll(() => webkit.texts(BAR)).toEqual([]);
    await webkit.goto('/');
    await waitUntilReady(webkit);
    expect(await webkit.texts(BAR)).toEqual([]);
    expect([tagHost.asked.length, intake.requests()]).toEqual([0, 0]);
    expect(await keptKeys(webkit)).toEqual([CONSENT_KEY]);
  });
});

/** What the watching scripts keep in the browser. */
function keptKeys(webkit: WebKitPage): Promise<readonly string[]> {
  return webkit.evaluate(
    (watching) =>
      [...Object.keys(localStorage), ...Object.keys(sessionStorage)]
        .filter((key) => watching.includes(key))
        .toSorted(),
    [CONSENT_KEY, SESSION_KEY, VISIT_KEY],
  );
}
