import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type EnvironmentOptions, type Plugin, defineConfig } from 'vite';

const BROWSERS = ['chrome91', 'firefox90', 'safari14.1'];

/** Loaded by their pages, and so hashed and in the client's manifest. */
const START = 'src/web/landing/start.ts';
const TYPE_REDIRECT = 'src/web/type-redirect/main.ts';

/** Scripts in one piece each, without a loader: that of `/r` travels inside its page. */
const single = (input: string, name: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: `dist/web/${name}`,
    target: BROWSERS,
    modulePreload: { polyfill: false },
    rolldownOptions: { input, output: { format: 'iife', entryFileNames: `${name}.js` } },
  },
});

/** The script of the landing page, with what it loads later. */
const client: EnvironmentOptions = {
  build: {
    outDir: 'dist/web/client',
    target: BROWSERS,
    manifest: true,
    modulePreload: { polyfill: false },
    // One style sheet, under a name that the renderer knows: it travels inside the page.
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/web/landing/main.tsx',
      output: {
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'landing.css' : 'assets/[name]-[hash][extname]',
      },
    },
  },
};

/** The renderer of the pages, for the server. It needs what the others have built, and so comes last. */
const ssr: EnvironmentOptions = {
  // React with it: what is bundled is the production build, whatever NODE_ENV says where it runs.
  resolve: { noExternal: true },
  build: {
    outDir: 'dist/web/server',
    ssr: true,
    rolldownOptions: { input: 'src/web/render-page.ts' },
  },
};

/** Puts scripts that were built in one piece beside the client's files, hashed and in their manifest. */
const emitSingles: Plugin = {
  name: 'waypost:emit-singles',
  applyToEnvironment: ({ name }) => name === 'client',
  async buildStart() {
    for (const [name, originalFileName] of [
      ['start', START],
      ['type-redirect', TYPE_REDIRECT],
    ] as const) {
      const source = await readFile(`dist/web/${name}/${name}.js`);
      this.emitFile({ type: 'asset', name: `${name}.js`, originalFileName, source });
    }
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
  plugins: [emitSingles],
  environments: {
    client,
    start: single(START, 'start'),
    typeRedirect: single(TYPE_REDIRECT, 'type-redirect'),
    redirect: single('src/web/redirect/main.ts', 'redirect'),
    ssr,
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['start', 'typeRedirect', 'redirect', 'client', 'ssr']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
