import type { Bench, Claim } from './claim.ts';
import { compareRates } from './compare-rates.ts';
import { recordAnswer, startBare, startPortal } from './start-servers.ts';

const MIN_RATIO = 0.4;
const HEADERS = { 'Accept-Encoding': 'gzip, deflate, br', 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' };

/**
 * The landing page and the script it loads, from memory and already compressed, compared with a server that does nothing
 * else.
 */
export const page: Bench = {
  title:
    'the landing page and its script, brotli, beside bare node:http with the same bytes, medians of 5 runs in turn',
  async run() {
    const portal = await startPortal();
    const origin = `http://127.0.0.1:${portal.port}`;
    const html = await (await fetch(origin)).text();
    const script = /\/assets\/[\w.-]+\.js/.exec(html)?.[0];
    const claims: Claim[] = [];
    for (const path of ['/', ...(script === undefined ? [] : [script])]) {
      const answer = await recordAnswer(`${origin}${path}`, HEADERS);
      const bare = await startBare('node-http', answer);
      const rates = await compareRates(
        [
          { name: `bare node:http, ${path}`, server: bare },
          {
            name: `waypost, ${path} (${answer.body.length.toLocaleString('en')} bytes)`,
            server: portal,
            minRatio: MIN_RATIO,
          },
        ],
        [createRequest(path)],
      );
      claims.push(...rates);
      await bare.close();
    }
    await portal.close();
    return claims;
  },
};

function createRequest(path: string): Buffer {
  const headers = Object.entries({ Host: 'localhost', ...HEADERS }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${headers.join('')}\r\n`);
}
