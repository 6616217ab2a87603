import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { renderPageCount } from './render-page-count.ts';

type Site = {
  counts?: string;
  isAsked?: boolean;
  withoutConsent?: boolean;
  isShell?: boolean;
  isCampaign?: boolean;
  search?: string;
  steps?: string;
};

/** Opens a page, hides it and leaves it. Returns what it has sent. */
function visit(
  {
    counts = 'self',
    isAsked = false,
    withoutConsent = false,
    isShell = false,
    isCampaign = false,
    search = '',
    steps,
  }: Site,
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
    isCampaign,
  };
  for (const script of renderPageCount('/r', request as never)) {
    runInNewContext(script, {
      addEventListener,
      URLSearchParams,
      location: { search },
      matchMedia: (query: string) => ({ matches: query === '(min-width: 48em)' }),
      document: {
        hidden: true,
        addEventListener,
        documentElement: { lang: 'en', dataset: { steps } },
        getElementById: (id: string) =>
          id === 'waypost-data' ? { textContent: '{"campaign":{"code":"spring"}}' } : null,
      },
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

test('what brought the visitor is sent, with the steps to a line', () => {
  const said = { device: 'pc', language: 'en' };
  expect(visit({ search: '?utm_source=a+b&utm_medium=&utm_term=x&code=7' })).toEqual([
    `/api/events ${JSON.stringify({ page: '/r', ...said, steps: ['page_view'], from: { utm_source: 'a b' } })}`,
  ]);
  expect(
    visit({ isCampaign: true, steps: 'first_row entered', search: `?utm_campaign=${'x'.repeat(101)}` }),
  ).toEqual([
    `/api/events ${JSON.stringify({
      page: '/c',
      ...said,
      steps: ['page_view', 'first_row', 'entered'],
      from: { campaign: 'spring', utm_campaign: 'x'.repeat(100) },
    })}`,
  ]);
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
