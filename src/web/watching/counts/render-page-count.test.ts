import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { renderPageCount } from './render-page-count.ts';

type Site = { counts?: string; isAsked?: boolean; withoutConsent?: boolean; isShell?: boolean };

/** Opens a page, hides it and leaves it. Returns what it has sent. */
function visit(
  { counts = 'self', isAsked = false, withoutConsent = false, isShell = false }: Site,
  kept?: string,
) {
  const sent: string[] = [];
  const listeners: (() => void)[] = [];
  const addEventListener = (_name: string, listener: () => void) => listeners.push(listener);
  const request = {
    site: {
      analytics: { counts, countsWithoutConsent: withoutConsent },
      consent: isAsked ? 'required' : 'none',
    },
    isShell,
  };
  for (const script of renderPageCount('/r', request as never)) {
    runInNewContext(script, {
      addEventListener,
      document: { hidden: true, addEventListener },
      localStorage: { getItem: (key: string) => (key === 'waypost.consent' ? (kept ?? null) : 'wrong key') },
      navigator: {
        globalPrivacyControl: kept === 'privacy signal',
        sendBeacon: (path: string, body: string) => sent.push(`${path} ${body}`) > 0,
      },
    });
  }
  expect(sent).toEqual([]);
  for (const listener of listeners) listener();
  return sent;
}

test('a view is counted once, when the page is hidden or left', () => {
  expect(visit({})).toEqual(['/api/events {"page":"/r"}']);
});

test('where nothing is counted, and in a shell, the page has no such script', () => {
  expect(renderPageCount('/t', { site: { analytics: { counts: 'off' } } } as never)).toEqual([]);
  expect(visit({ isShell: true })).toEqual([]);
});

test.each<[number, string, Site, string | undefined]>([
  [0, 'a browser with Global Privacy Control', {}, 'privacy signal'],
  [0, 'a visitor who was not asked yet', { isAsked: true }, undefined],
  [1, 'a visitor who agreed', { isAsked: true }, 'granted'],
  [0, 'a visitor who refused', { isAsked: true }, 'refused'],
  [
    1,
    'a visitor who was not asked yet, where the site counts without',
    { isAsked: true, withoutConsent: true },
    undefined,
  ],
  [
    0,
    'a visitor who refused, where the site counts without',
    { isAsked: true, withoutConsent: true },
    'refused',
  ],
])('%i views are counted of %s', (count, _who, site, kept) => {
  expect(visit(site, kept)).toHaveLength(count);
});
