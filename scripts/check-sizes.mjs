// Compares what a visitor downloads with its budget: in brotli, as the server sends it.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './run.mjs';

const KB = 1024;
const CLIENT = 'dist/web/client/assets';
const CONSOLE = 'dist/web/console';

const sizes = [
  // 110 bytes of it keep the lines of a visit and register the service worker: the page is gone before it could load more.
  { title: 'script of /r', bytes: compressed('dist/web/redirect/redirect.js'), maxBytes: 4_300 },
  { title: 'start script of /', bytes: compressed(asset('start')), maxBytes: 5_100 },
  {
    title: 'scripts of / before any interaction, on a phone',
    bytes: ['start', 'main', 'show-page'].reduce((sum, name) => sum + compressed(asset(name)), 0),
    maxBytes: 76_800,
  },
  {
    title: 'beams of light, if the site wants them',
    bytes: compressed(asset('start-beams')),
    maxBytes: 1_500,
  },
  {
    title: 'script that counts visits, if they are counted',
    bytes: compressed(asset('counts')),
    maxBytes: 1_300,
  },
  {
    title: 'what / loads when it is idle, to keep itself',
    bytes: compressed(asset('keep-page')),
    maxBytes: KB,
  },
  {
    title: 'service worker',
    bytes: compressed('dist/web/offline-worker/offline-worker.js'),
    maxBytes: 4 * KB,
  },
  { title: 'stay.js of a line', bytes: compressed('dist/web/stay/stay.js'), maxBytes: 3_000 },
  { title: 'worker of a line', bytes: compressed('dist/web/stay-worker/stay-worker.js'), maxBytes: 6_000 },
  ...measureConsole([
    {
      title: 'scripts of the operator’s console',
      views: ['main.tsx', 'line/line-view.tsx'],
      maxBytes: 118_000,
    },
    { title: 'scripts of its view “why these four”', views: ['why/why-view.tsx'], maxBytes: 6 * KB },
    { title: 'scripts of its view “where”', views: ['where/where-view.tsx'], maxBytes: 7 * KB },
    { title: 'scripts of its view “incidents”', views: ['incidents/incidents-view.tsx'], maxBytes: 9_000 },
    { title: 'scripts of its views of sessions', views: ['sessions/sessions-views.tsx'], maxBytes: 12 * KB },
    { title: 'scripts of its view “visitors”', views: ['visitors/visitors-view.tsx'], maxBytes: 8 * KB },
    { title: 'scripts of its view “campaigns”', views: ['campaigns/campaigns-view.tsx'], maxBytes: 17 * KB },
    { title: 'scripts of its views about people', views: ['people/people-views.tsx'], maxBytes: 16 * KB },
    {
      title: 'scripts of its desk, where the site is changed',
      views: ['desk/open-desk.tsx'],
      // Each key of site.json adds its field, with a label in two languages.
      maxBytes: 37 * KB,
    },
    {
      title: 'scripts of its desk with the texts',
      views: ['desk/texts/texts-section.tsx'],
      maxBytes: 42 * KB,
    },
    {
      title: 'scripts of its desk with the alerts',
      views: ['desk/alerts/alerts-section.tsx'],
      maxBytes: 52 * KB,
    },
    {
      title: 'scripts of its desk with the JSON editor',
      views: ['desk/json/json-editor.tsx'],
      maxBytes: 140 * KB,
    },
  ]),
  {
    title: 'script of its player of recordings',
    bytes: compressed('dist/web/player/player.js'),
    maxBytes: 48 * KB,
  },
  { title: 'banner on a phone', bytes: fileSize('site/images/banner-mobile.avif'), maxBytes: 45 * KB },
  { title: 'banner on a desktop', bytes: fileSize('site/images/banner-desktop.avif'), maxBytes: 90 * KB },
  ...(await measurePages()),
];

for (const { title, bytes, maxBytes } of sizes) {
  const isWithin = bytes <= maxBytes;
  process.stdout.write(`${isWithin ? '✓' : '✗'} ${title}: ${bytes} of ${maxBytes} bytes\n`);
  if (!isWithin) process.exitCode = 1;
}

/** The pages of the demo brand, with all that is inside them, in every language. */
async function measurePages() {
  const { loadWebBuild } = await import('../dist/server/site/load-web-build.js');
  const { loadSite } = await import('../dist/server/site/load-site.js');
  const { publishSite } = await import('../dist/server/site/publish-site.js');
  const { buildFallbackAddresses } = await import('../dist/server/site/build-fallback-addresses.js');
  const { renderPage } = await loadWebBuild(join(ROOT, 'dist/web'));
  const { pages } = await publishSite(await loadSite(join(ROOT, 'site')), 1, {
    renderPage,
    now: Date.now,
    buildFallbackAddresses: (lines) => buildFallbackAddresses(lines, { random: () => 0.5, now: Date.now }),
  });
  const budgets = [
    // Well within the first flight of a new connection, about 14 KB.
    { path: '/', kind: 'landing', maxBytes: 10_000 },
    // All bytes until the page goes to a line.
    { path: '/r', kind: 'redirect', maxBytes: 5_600 },
    // All bytes until the page shows its button: well within the first flight of a new connection.
    { path: '/t', kind: 'type-redirect', maxBytes: 10_000 },
  ];
  return budgets.flatMap(({ path, kind, maxBytes }) =>
    ['zh-CN', 'zh-TW', 'en'].map((locale) => ({
      title: `page ${path} in ${locale}`,
      bytes: pages.get({ kind, locale, closing: undefined }).br.body.length,
      maxBytes,
    })),
  );
}

function asset(name) {
  // Behind the name comes a hash of eight characters. Another file's name may begin with this one.
  const isSuch = (entry) => entry.startsWith(`${name}-`) && entry.length === `${name}-12345678.js`.length;
  const file = readdirSync(join(ROOT, CLIENT)).find((entry) => isSuch(entry) && entry.endsWith('.js'));
  return join(CLIENT, file ?? `${name}.js`);
}

/** What each part of the console loads that the first part has not loaded. Pieces that two parts share count for both. */
function measureConsole(parts) {
  const manifest = JSON.parse(readFileSync(join(ROOT, CONSOLE, '.vite/manifest.json'), 'utf8'));
  const listFiles = (name) => [manifest[name].file, ...(manifest[name].imports ?? []).flatMap(listFiles)];
  const filesOf = ({ views }) => new Set(views.flatMap((view) => listFiles(`src/console/${view}`)));
  const [first] = parts;
  return parts.map((part) => {
    const files = [...filesOf(part)].filter((file) => part === first || !filesOf(first).has(file));
    const bytes = files.reduce((sum, file) => sum + compressed(join(CONSOLE, file)), 0);
    return { title: part.title, bytes, maxBytes: part.maxBytes };
  });
}

function compressed(file) {
  return brotliCompressSync(readFileSync(join(ROOT, file))).length;
}

function fileSize(file) {
  return statSync(join(ROOT, file)).size;
}
