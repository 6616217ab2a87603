import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { PageImage } from '../../contract/page/page-data.ts';
import { textsFor } from '../kit/texts/texts-for.ts';
import type { Row } from '../../engine/board/describe-rows.ts';
import { createIdleHandOver } from './create-idle-hand-over.ts';
import type { PageContent } from '../kit/page/create-page-content.ts';
import { LandingPage } from './landing-page.tsx';
import { LineRow } from './lines/line-row.tsx';
import { PageContext } from '../kit/page/page-context.ts';

const brand = {
  name: 'Polaris',
  mainBrowser: 'Polar Browser',
  androidBrowser: 'Polar Lite',
  email: 'service@example.com',
  copyright: '© Polaris',
};
const texts = textsFor({ builtInTexts: 'en', brand, texts: {} }, 'ltr');
const imageOf = (name: string): PageImage => ({ url: `/images/${name}.svg`, size: undefined, sources: [] });
const content: PageContent = {
  locale: 'en',
  languages: [{ locale: 'en', name: 'English' }],
  texts,
  brand,
  images: {
    logo: imageOf('logo'),
    promo: imageOf('promo'),
    bannerMobile: imageOf('banner-mobile'),
    bannerDesktop: imageOf('banner-desktop'),
    walletQr: imageOf('wallet-qr'),
    telegramQr: imageOf('channel-qr'),
  },
  links: {
    ub: 'https://ub.example/',
    esb: 'https://esb.example/',
    wallet: 'https://wallet.example/',
    telegram: 'https://channel.example/',
    service: 'https://service.example/',
  },
  downloads: ['ub', 'wallet', 'esb', 'tg'],
  announcement: undefined,
  compliance: {
    operator: 'Polaris Ltd',
    licence: { statement: 'Licence 1', url: 'https://licence.example/' },
    minimumAge: 18,
    responsiblePlayUrl: 'https://play.example/',
  },
};
const html = renderToStaticMarkup(
  createElement(LandingPage, { content, handOver: createIdleHandOver('loading', content.links) }),
);

const header = html.slice(0, html.indexOf('</header>'));
const [, ub, wallet, esb, channel] = html.split(' id="panel-').map((part) => part.split('</section>')[0]);

test('the header has the logo, named after the brand, the promo image, and the way to customer service', () => {
  expect(header).toMatch(/<a [^>]*href="\/"[^>]*><picture><img [^>]*src="\/images\/logo\.svg" alt="Polaris"/);
  expect(header).toMatch(/<img [^>]*src="\/images\/promo\.svg" alt=""/);
  expect(header).toMatch(/<a [^>]*href="https:\/\/service\.example\/"/);
});

test('the panel of the main browser has its text, its platforms, and a button that downloads it', () => {
  expect(ub).toMatch(/^ub"/);
  expect(ub).toContain('It picks the fastest line by itself.');
  expect(ub).toContain('iOS · Android · desktop');
  expect(ub).toMatch(/<a [^>]*href="https:\/\/ub\.example\/"[^>]*>(?:<svg.*?<\/svg>)?Download now<\/a>/);
});

test('the panel of the wallet tutorial has its code and its text', () => {
  expect(wallet).toMatch(/^wallet"/);
  expect(wallet).toContain('src="/images/wallet-qr.svg" alt="QR code: Wallet tutorial"');
  expect(wallet).toContain('From opening a wallet to your first transfer, step by step.');
});

test('the panel of the Android browser has its text and its platform', () => {
  expect(esb).toMatch(/^esb"/);
  expect(esb).toContain('A light browser made for Android phones.');
  expect(esb).toContain('Android only');
});

test('the panel of the channel has its code, its text, and the mailbox as text', () => {
  expect(channel).toMatch(/^tg"/);
  expect(channel).toContain('src="/images/channel-qr.svg" alt="QR code: Official channel"');
  expect(channel).toContain('Join the official channel and hear of new lines first.');
  expect(channel).toContain('<span>Official mailbox</span><strong dir="ltr">service@example.com</strong>');
});

test('the panel of the main browser is the one that is shown first', () => {
  const isHidden = (panel = '') => / hidden=""/.test(panel.slice(0, panel.indexOf('>')));
  expect([ub, wallet, esb, channel].map(isHidden)).toEqual([false, true, true, true]);
});

describe('the language switch', () => {
  const renderIn = (languages: PageContent['languages']): string =>
    renderToStaticMarkup(
      createElement(LandingPage, {
        content: { ...content, languages },
        handOver: createIdleHandOver('loading', content.links),
      }),
    );

  test('names each language in itself, and marks the one that is shown', () => {
    const footer = renderIn([
      { locale: 'en', name: 'English' },
      { locale: 'ar', name: 'العربية' },
    ]);
    expect(footer).toMatch(
      /<a href="\?lang=en" lang="en" hrefLang="en"[^>]* aria-current="true">English<\/a>/,
    );
    expect(footer).toMatch(/<a href="\?lang=ar" lang="ar" hrefLang="ar" data-silent="language">العربية<\/a>/);
  });

  test('is not there for one language', () => {
    expect(renderIn([{ locale: 'en', name: 'English' }])).not.toContain('?lang=');
  });
});

describe('the downloads of the site folder', () => {
  function renderWith(downloads: PageContent['downloads']): string {
    return renderToStaticMarkup(
      createElement(LandingPage, {
        content: { ...content, downloads },
        handOver: createIdleHandOver('loading', content.links),
      }),
    );
  }
  const findAll = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, found]) => found);

  test('are the tabs of a desktop and the links of a phone, in their order, and the first is shown', () => {
    const page = renderWith(['tg', 'esb', 'ub']);
    expect(findAll(page, / id="tab-(\w+)"/g)).toEqual(['tg', 'esb', 'ub']);
    expect(findAll(page, / id="panel-(\w+)"/g)).toEqual(['tg', 'esb', 'ub']);
    expect(findAll(page, / id="tab-(\w+)"[^>]* aria-selected="true"/g)).toEqual(['tg']);
    const [, phone = ''] = page.split('data-without-script');
    expect(findAll(phone.slice(0, phone.indexOf('</ul>')), / data-event="(\w+)"/g)).toEqual([
      'tab_telegram',
      'tab_e_plus',
      'tab_ub',
    ]);
  });

  test('need no tabs if there is one only', () => {
    const page = renderWith(['wallet']);
    expect(findAll(page, / id="panel-(\w+)"/g)).toEqual(['wallet']);
    expect(page).not.toMatch(/role="tab/);
    expect(page).not.toMatch(/id="panel-wallet"[^>]* hidden/);
  });

  test('may be none: nothing of them is there', () => {
    const page = renderWith([]);
    expect(page).not.toContain('downloads-title');
    expect(page).not.toMatch(/data-event="tab_/);
  });

  test('without the main browser, no hint recommends it', () => {
    expect(renderWith(['ub'])).toContain('data-event="tip_ub"');
    expect(renderWith(['wallet', 'esb', 'tg'])).not.toContain('data-event="tip_ub"');
    expect(renderWith([])).toContain('data-event="tip_service"');
  });
});

describe('a row', () => {
  const row: Row = {
    number: 1,
    host: 'a.example',
    address: 'https://www20000.a.example:9900',
    isBackup: false,
    speed: { key: 'measured', ms: 38 },
    cause: undefined,
    isFastest: true,
  };

  function renderRow(change: Partial<Row>): string {
    const element = createElement(LineRow, { row: { ...row, ...change }, onUnproven: () => undefined });
    return renderToStaticMarkup(createElement(PageContext, { value: content }, element));
  }

  /** The text of its speed, without the elements in it. */
  const speedIn = (html: string) =>
    /data-speed="true">(.*?)<\/span><span [^>]*data-text="note"/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '');

  test('has its time, and is a link into a new tab that cannot reach back', () => {
    expect(speedIn(renderRow({}))).toBe('38ms');
    expect(renderRow({})).toMatch(
      /<a [^>]*href="https:\/\/www20000\.a\.example:9900" target="_blank" rel="noopener"[^>]*>Official line 1<\/a>/,
    );
    expect(renderRow({})).not.toContain('backup');
  });

  test('says that it is a backup', () => {
    expect(renderRow({ isBackup: true })).toContain('>backup<');
  });

  test.each(['timeout', 'unreachable'] as const)('that failed by %s stays a link', (cause) => {
    const failed = renderRow({ speed: { key: 'aboveFiveSeconds' }, cause, isFastest: false });
    expect(speedIn(failed)).toBe('above 5 seconds');
    expect(failed).toContain(`href="${row.address}"`);
  });

  test('of the wrong server has its name, says so, is no link, and gives no address to copy', () => {
    const failed = renderRow({ speed: { key: 'aboveFiveSeconds' }, cause: 'wrong-server', isFastest: false });
    expect(failed).toMatch(/<button [^>]*>Official line 1<\/button>/);
    expect(failed).toContain('identity check failed');
    expect(failed).not.toContain('href');
    expect(failed).toMatch(/<button [^>]*data-silent="copy" disabled/);
  });

  test('gives its address to copy, but not while that is in doubt', () => {
    expect(renderRow({})).not.toContain('disabled');
    expect(renderRow({ isInDoubt: true })).toMatch(/<button [^>]*data-silent="copy" disabled/);
  });
});
