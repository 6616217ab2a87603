// One editor in a process of its own, who sends the desk the worst that it takes: node desk-attacker.mjs ATTACK OPS_URL TOKEN.
// It goes on until it is ended. Plain JavaScript: nothing is compiled for it.
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

const MAX_UPLOAD_BYTES = 5_000_000;
const DESK = '/api/console/desk';
/** Every answer of a desk that is well: done, refused, or too busy. */
const EXPECTED = new Set([200, 413, 422, 503]);

const [name, url, token] = process.argv.slice(2);

const ATTACKS = {
  /** One ordinary change after the other, of the largest site.json that a program would write. */
  'changes of a minified site.json': async () => {
    await upload('site.json', JSON.stringify(await createLargeSite()));
    await repeat(1, (count) =>
      post('draft/edit', {
        file: 'site.json',
        edits: [{ path: ['brand', 'copyright'], value: `Copyright ${count}` }],
      }),
    );
  },
  'images of nested elements': async () => {
    const nested = fill('<g>', MAX_UPLOAD_BYTES - 100);
    await repeat(2, () => upload('images/nested.svg', wrap(nested)));
  },
  /** As deep as an image may be, and as large. */
  'the slowest images': async () => {
    const level = '<g>'.repeat(250) + '</g>'.repeat(250);
    const slow = wrap(fill(level, MAX_UPLOAD_BYTES - 2_000));
    await repeat(2, () => upload('images/slow.svg', slow));
  },
  'checks of a file that repeats a key': async () => {
    await upload('json/urls/bench.json', `{${fill('"a":"line1.example",', 900_000)}"b":"line1.example"}`);
    await repeat(2, () => post('draft/check', {}));
  },
  'checks of a file of unknown keys': async () => {
    const site = await readSite();
    const keys = Object.fromEntries(Array.from({ length: 45_000 }, (_, index) => [`lines${index}`, index]));
    await upload('site.json', JSON.stringify({ ...site, ...keys, texts: { en: keys } }).slice(0, 999_000));
    await upload('site.json', JSON.stringify({ ...site, texts: { en: keys } }));
    await repeat(2, () => post('draft/check', {}));
  },
  /** The encoder's worst case: noise. */
  'eight noisy images of four megapixels at once': async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 80 };
    const image = sharp({ create: { width: 2_000, height: 2_000, channels: 3, background: '#888', noise } });
    const bytes = await image.jpeg({ quality: 60 }).toBuffer();
    await repeat(8, (_, index) => upload(`images/noise-${index}.jpg`, bytes));
  },
};

await ATTACKS[name]();

/** Keeps this many calls under way. */
async function repeat(atOnce, call) {
  const callers = Array.from({ length: atOnce }, async (_, index) => {
    for (let count = 0; ; count += 1) await call(count, index);
  });
  await Promise.all(callers);
}

function upload(path, content) {
  return send(`draft/put-file?path=${path}`, 'application/octet-stream', content);
}

function post(path, body) {
  return send(path, 'application/json', JSON.stringify(body));
}

async function send(path, type, body) {
  const answer = await fetch(`${url}${DESK}/${path}`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
    body,
  });
  const text = await answer.text();
  if (!EXPECTED.has(answer.status)) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
}

async function readSite() {
  return JSON.parse(await readFile('site/site.json', 'utf8'));
}

async function createLargeSite() {
  const site = await readSite();
  const hosts = Array.from({ length: 1_000 }, (_, index) => ({
    host: `line${index}.example`,
    weight: 2,
    noWWW: true,
    maintenance: [{ from: '2026-12-01T08:00+08:00', until: '2026-12-01T10:00+08:00', reason: 'new disks' }],
    countries: { only: ['SG', 'MY', 'TH', 'VN', 'ID', 'PH'] },
    networks: { not: ['AS64500', 'AS64501', '203.0.113.0/24'] },
  }));
  return { ...site, lines: { ...site.lines, hosts } };
}

function wrap(inside) {
  return `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
}

function fill(text, bytes) {
  return text.repeat(Math.floor(bytes / text.length));
}
