import { expect, test } from 'vitest';
import { readBrowser } from './read-browser.ts';

const CHROME = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Chrome 131', `${CHROME} Chrome/131.0.0.0 Mobile Safari/537.36`],
  ['Edge 130', `${CHROME} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`],
  ['Samsung Internet 27', `${CHROME} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`],
  ['WeChat 8', `${CHROME} Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.50`],
  ['UC 17', `${CHROME} Version/4.0 Chrome/100.0.4896.58 UCBrowser/17.2.9 U3/0.8.0 Mobile Safari/534.30`],
  ['Firefox 133', 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'],
  ['Chrome 131', `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  ['Safari 18', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['', 'curl/8.5.0'],
  ['', undefined],
])('finds %j', (browser, userAgent) => {
  expect(readBrowser(userAgent)).toBe(browser);
});
