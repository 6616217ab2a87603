import { readFile } from 'node:fs/promises';
import { type EnvironmentOptions, type Plugin, defineConfig } from 'vite';

const BROWSERS = ['chrome91', 'firefox90', 'safari14.1'];

const START = 'src/web/landing/start.ts';

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

/** The pages that load their script: it is hashed and cached. */
const client: EnvironmentOptions = {
  build: {
    outDir: 'dist/web/client',
    target: BROWSERS,
    manifest: true,
    modulePreload: { polyfill: false },
    // One style sheet, under a name that the renderer knows: it travels inside the page.
    cssCodeSplit: false,
    rolldownOptions: {
      input: ['src/web/landing/main.tsx', 'src/web/type-redirect/main.ts'],
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

/** Puts the start script beside the client's files, hashed and in their manifest. */
const emitStart: Plugin = {
  name: 'waypost:emit-start',
  applyToEnvironment: ({ name }) => name === 'client',
  async buildStart() {
    this.emitFile({
      type: 'asset',
      name: 'start.js',
      originalFileName: START,
      source: await readFile('dist/web/start/start.js'),
    });
  },
};

export default defineConfig({
  publicDir: false,
  css: { modules: { generateScopedName: '[local]_[hash:base64:4]' } },
  plugins: [emitStart],
  environments: {
    client,
    start: single(START, 'start'),
    redirect: single('src/web/redirect/main.ts', 'redirect'),
    ssr,
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['start', 'redirect', 'client', 'ssr']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
