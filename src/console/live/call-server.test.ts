import { afterEach, expect, test, vi } from 'vitest';
import { sendChange } from './call-server.ts';
import { SIGNED_OUT_EVENT } from './leave-to-sign-in.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['leaves the page for the login form', false],
  ['stays on a page that holds unsaved text', true],
])('a change after the session has ended %s', async (_what, hasUnsavedText) => {
  const page = new EventTarget();
  page.addEventListener(SIGNED_OUT_EVENT, (event) => {
    if (hasUnsavedText) event.preventDefault();
  });
  const reload = vi.fn<() => void>();
  vi.stubGlobal('window', page);
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ error: { code: 'unauthorized', message: 'Sign in.' } }, { status: 401 })),
  );
  expect(await sendChange('/api/console/people/invite', {})).toEqual({ kind: 'signed-out' });
  expect(reload).toHaveBeenCalledTimes(hasUnsavedText ? 0 : 1);
});
