import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { RenderPage, RenderPageModule } from '../../contract/page/page-data.ts';
import { MEDIA_TYPES } from '../http/media-types.ts';
import { type AnswerContent, type PreparedFiles, prepareAnswer } from '../http/prepare-answer.ts';
import { IMMUTABLE, REVALIDATED } from './prepare-images.ts';

/** What the server needs of the built web part. */
export type WebBuild = {
  readonly renderPage: RenderPage;
  readonly assets: PreparedFiles;
  readonly console: ConsoleBuild;
};

/** Where the built console is. */
export type ConsoleUrls = { readonly script: string; readonly styles: readonly string[] };

/** The operator's console as it was built. */
export type ConsoleBuild = { readonly urls: ConsoleUrls; readonly files: PreparedFiles };

/** The web part is not built, or not whole. */
class WebBuildError extends Error {
  override readonly name = 'WebBuildError';
  readonly code = 'web-build';
}

const CONSOLE_ENTRY = 'src/console/main.tsx';
/** As much of Vite's manifest as is needed: https://vite.dev/guide/backend-integration */
const consoleManifestSchema = v.object({
  [CONSOLE_ENTRY]: v.object({ file: v.string(), css: v.array(v.string()) }),
});

/** Loads the built web part: the page renderer, and every file of the client, with its compressed copies. */
export async function loadWebBuild(dir: string): Promise<WebBuild> {
  const clientDir = join(dir, 'client');
  try {
    const manifest: unknown = JSON.parse(await readFile(join(clientDir, '.vite', 'manifest.json'), 'utf8'));
    const module: unknown = await import(pathToFileURL(join(dir, 'server', 'render-page.js')).href);
    // The module's own build is checked against this type.
    const { createRenderPage } = module as RenderPageModule;
    return {
      renderPage: createRenderPage(manifest as Readonly<Record<string, unknown>>),
      assets: await prepareAssets(clientDir),
      console: await loadConsole(join(dir, 'console')),
    };
  } catch (error) {
    throw new WebBuildError(`${dir} does not hold a built web part: run "npm run build"`, { cause: error });
  }
}

async function loadConsole(dir: string): Promise<ConsoleBuild> {
  const manifest: unknown = JSON.parse(await readFile(join(dir, '.vite', 'manifest.json'), 'utf8'));
  const { file, css } = v.parse(consoleManifestSchema, manifest)[CONSOLE_ENTRY];
  return {
    urls: { script: `/${file}`, styles: css.map((path) => `/${path}`) },
    files: await prepareAssets(dir),
  };
}

async function prepareAssets(clientDir: string): Promise<PreparedFiles> {
  const entries = await readdir(clientDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(clientDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith('.') && MEDIA_TYPES.has(extname(path)));
  const answers = await Promise.all(
    files.map(async (path) => {
      const answer = await prepareAnswer({
        body: await readFile(join(clientDir, path)),
        type: MEDIA_TYPES.get(extname(path)) ?? 'application/octet-stream',
        headers: path.startsWith('assets/') ? IMMUTABLE : REVALIDATED,
        compression: await readCompressed(join(clientDir, path)),
      });
      return [`/${path}`, answer] as const;
    }),
  );
  return new Map(answers);
}

/** The copies that the build lays beside what shrinks. */
async function readCompressed(file: string): Promise<AnswerContent['compression']> {
  const copies = Promise.all([readFile(`${file}.br`), readFile(`${file}.gz`)]);
  return copies.then(
    ([br, gzip]) => ({ br, gzip }),
    () => 11,
  );
}
