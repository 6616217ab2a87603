import { type EnvironmentOptions, defineConfig } from 'vite';

const BROWSERS = ['chrome91', 'firefox90', 'safari14.1'];

/** The pages that load their script: it is hashed, cached and shared between them. */
const client: EnvironmentOptions = {
  build: {
    outDir: 'dist/web/client',
    target: BROWSERS,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['src/web/landing/main.ts', 'src/web/type-redirect/main.ts'] },
  },
};

/** The script of `/r`: one piece, because it travels inside the page. */
const redirect: EnvironmentOptions = {
  consumer: 'client',
  build: {
    outDir: 'dist/web/redirect',
    target: BROWSERS,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/web/redirect/main.ts',
      output: { format: 'iife', entryFileNames: 'redirect.js' },
    },
  },
};

/** The renderer of the pages, for the server. It needs the script of `/r`, and so comes last. */
const ssr: EnvironmentOptions = {
  build: {
    outDir: 'dist/web/server',
    ssr: true,
    rolldownOptions: { input: 'src/web/render-page.ts' },
  },
};

export default defineConfig({
  publicDir: false,
  environments: { client, redirect, ssr },
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
});
