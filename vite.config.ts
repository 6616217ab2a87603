import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type EnvironmentOptions, type Plugin, defineConfig } from 'vite';

/** The oldest browsers that run the scripts: docs/browsers.md. `npm run check` holds the built files to it. */
const BROWSERS = {
  // Written as ES2020, because for "chrome86" every `?.` would be rewritten: old V8 is wrong about a spread behind it only.
  target: ['es2020', 'firefox78', 'safari14'],
  cssTarget: ['chrome86', 'firefox78', 'safari14'],
};

/** Loaded by its page, and so hashed and in the client's manifest. */
const START = 'src/web/landing/start.ts';
const COUNTS = 'src/web/watching/counts/main.ts';

/** Scripts in one piece each, without a loader: those of `/r` and `/t` travel inside their pages. */
const single = (input: string, name: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: `dist/web/${name}`,
    ...BROWSERS,
    modulePreload: { polyfill: false },
    rolldownOptions: { input, output: { format: 'iife', entryFileNames: `${name}.js` } },
  },
});

/** The script for browsers that know none of the others: as it is written, because what is minified needs a browser of 2015. */
const plainLinks: EnvironmentOptions = {
  consumer: 'client',
  build: {
    outDir: 'dist/web/plain-links',
    minify: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/web/landing/plain-links.ts',
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      experimental: { attachDebugInfo: 'none' },
      output: { format: 'iife', entryFileNames: 'plain-links.js', minify: 'dce-only' },
    },
  },
};

/** The style sheet of a page that React renders on the server alone; the script beside it is not used. */
const styleOf = (input: string, name: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: `dist/web/${name}`,
    ...BROWSERS,
    cssCodeSplit: false,
    rolldownOptions: {
      input,
      // Nothing here uses what the page exports; dropped, it would take its style along.
      preserveEntrySignatures: 'strict',
      output: { assetFileNames: `${name}.css` },
    },
  },
});

/** The script of the landing page, with what it loads later. */
const client: EnvironmentOptions = {
  build: {
    outDir: 'dist/web/client',
    ...BROWSERS,
    manifest: true,
    modulePreload: false,
    // One style sheet, under a name that the renderer knows: it travels inside the page.
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/web/landing/main.ts',
      // Else each constant that a later piece uses travels with the first one.
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      output: {
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'landing.css' : 'assets/[name]-[hash][extname]',
      },
    },
  },
};

/** The operator's console, which is served by another listener and shares nothing with the pages. */
const operatorConsole: EnvironmentOptions = {
  consumer: 'client',
  build: {
    outDir: 'dist/web/console',
    ...BROWSERS,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Both are called `main`, and the names of their files come from here.
      input: { main: 'src/console/main.tsx', 'sign-in': 'src/console/sign-in/main.ts' },
    },
  },
};

/** The script of the document that plays recordings: in one piece, because it travels inside of it. */
const player: EnvironmentOptions = single('src/console/player/main.ts', 'player');

/** The renderer of the pages, for the server. It needs what the others have built, and so comes last. */
const ssr: EnvironmentOptions = {
  // React with it, and its production build, whatever NODE_ENV says where it runs.
  resolve: { noExternal: true },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    outDir: 'dist/web/server',
    ssr: true,
    rolldownOptions: { input: 'src/web/render-page.ts' },
  },
};

/**
 * Puts scripts, which were built in one piece, beside the client's files: the start script and the one that counts, hashed and in
 * their manifest, and the service worker, under a name that never changes.
 */
const emitScripts: Plugin = {
  name: 'waypost:emit-scripts',
  applyToEnvironment: ({ name }) => name === 'client',
  async buildStart() {
    const start = await readFile('dist/web/start/start.js');
    this.emitFile({ type: 'asset', name: 'start.js', originalFileName: START, source: start });
    const counts = await readFile('dist/web/counts/counts.js');
    this.emitFile({ type: 'asset', name: 'counts.js', originalFileName: COUNTS, source: counts });
    const worker = await readFile('dist/web/offline-worker/offline-worker.js');
    this.emitFile({ type: 'asset', fileName: 'offline.js', source: worker });
  },
};

/**
 * Loads the later pieces of the landing page by a plain `import()`. Vite's own helper also loads style sheets and the pieces
 * of a piece, and takes 0.7 KB (brotli); our pieces have no style sheets.
 */
const importPlainly: Plugin = {
  name: 'waypost:import-plainly',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
};

/** Removes the white space of the schema that the console's JSON editor carries: a quarter of its bytes (brotli). */
const packSchema: Plugin = {
  name: 'waypost:pack-schema',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'operatorConsole',
  async load(id) {
    if (!id.endsWith('/site.schema.json?raw')) return undefined;
    const schema: unknown = JSON.parse(await readFile(id.replace('?raw', ''), 'utf8'));
    return `export default ${JSON.stringify(JSON.stringify(schema))};`;
  },
};

export default defineConfig({
  publicDir: false,
  css: {
    modules: {
      // By the name of the file, which is unique: shorter to send than a hash, and good to read in a browser's tools.
      generateScopedName: (name, file) => `${basename(file.split('?')[0] ?? '', '.module.css')}_${name}`,
    },
  },
  plugins: [emitScripts, importPlainly, packSchema],
  environments: {
    client,
    start: single(START, 'start'),
    plainLinks,
    counts: single(COUNTS, 'counts'),
    typeRedirect: single('src/web/type-redirect/main.ts', 'type-redirect'),
    typeRedirectStyle: styleOf('src/web/type-redirect/type-redirect-page.tsx', 'type-redirect-style'),
    redirect: single('src/web/redirect/main.ts', 'redirect'),
    offlineWorker: single('src/web/offline/worker.ts', 'offline-worker'),
    offlineNote: single('src/web/offline/note.ts', 'offline-note'),
    stay: single('src/web/stay/main.ts', 'stay'),
    stayWorker: single('src/web/stay/worker.ts', 'stay-worker'),
    operatorConsole,
    player,
    ssr,
  },
  builder: {
    async buildApp(builder) {
      const names = [
        'start',
        'plainLinks',
        'counts',
        'typeRedirect',
        'typeRedirectStyle',
        'redirect',
        'offlineWorker',
        'offlineNote',
        'stay',
        'stayWorker',
        'operatorConsole',
        'player',
        'client',
        'ssr',
      ];
      for (const name of names) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
