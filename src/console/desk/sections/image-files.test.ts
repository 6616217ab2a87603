import { expect, test } from 'vitest';
import { chooseImagePath, isStale, readEnding } from './image-files.ts';

const JSON_FILES = {
  'site.json': {
    images: {
      logo: { default: 'images/logo.svg', en: 'images/logo-en.svg' },
      bannerMobile: 'images/banner.webp',
      walletQr: 'images/qr.svg',
      telegramQr: 'images/qr.svg',
    },
  },
};

test('a new image takes the place of the old one, with its own ending', () => {
  const path = ['images', 'bannerMobile'];
  expect(chooseImagePath(JSON_FILES, { path, ending: 'png' })).toBe('images/banner.png');
  expect(chooseImagePath(JSON_FILES, { path: ['images', 'logo', 'en'], ending: 'svg' })).toBe(
    'images/logo-en.svg',
  );
});

test('an image that two names share is not replaced for both', () => {
  expect(chooseImagePath(JSON_FILES, { path: ['images', 'walletQr'], ending: 'svg' })).toBe(
    'images/walletqr.svg',
  );
});

test('an image that was not there is named for what it is', () => {
  expect(chooseImagePath(JSON_FILES, { path: ['images', 'logo', 'zh-TW'], ending: 'png' })).toBe(
    'images/logo-zh-tw.png',
  );
});

test('the old file goes, unless it has the same name, is named elsewhere, or is made by the server', () => {
  expect(isStale(JSON_FILES, 'images/logo.svg', 'images/logo.png')).toBe(true);
  expect(isStale(JSON_FILES, 'images/logo.svg', 'images/logo.svg')).toBe(false);
  expect(isStale(JSON_FILES, 'images/qr.svg', 'images/walletqr.svg')).toBe(false);
  expect(isStale(JSON_FILES, 'images/banner.webp', 'images/banner.png')).toBe(false);
  expect(isStale(JSON_FILES, undefined, 'images/banner.png')).toBe(false);
});

test('the picture of a campaign is replaced as an image of the site is', () => {
  const json = { 'site.json': { campaigns: { spring: { image: 'images/spring.jpg' }, autumn: {} } } };
  const path = ['campaigns', 'spring', 'image'];
  expect(chooseImagePath(json, { path, ending: 'png' })).toBe('images/spring.png');
  expect(isStale(json, 'images/spring.jpg', 'images/spring.png')).toBe(true);
  expect(chooseImagePath(json, { path: ['campaigns', 'autumn', 'image'], ending: 'png' })).toBe(
    'images/autumn-image.png',
  );
});

test.each([
  ['a.PNG', 'png'],
  ['a.b.svg', 'svg'],
  ['a.exe', undefined],
  ['a', undefined],
])('the ending of %s is %s', (name, ending) => {
  expect(readEnding(name)).toBe(ending);
});
