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
export type ConsoleUrls = {
  readonly script: string;
  /** The script of the pages before the console. */
  readonly signInScript: string;
  readonly signInStyles: readonly string[];
  readonly styles: readonly string[];
};

/** The operator's console as it was built. */
export type ConsoleBuild = {
  readonly urls: ConsoleUrls;
  readonly files: PreparedFiles;
  /** The script of the document that plays recordings. */
  readonly playerScript: string;
};

/** The web part is not built, or not whole. */
class WebBuildError extends Error {
  override readonly name = 'WebBuildError';
  readonly code = 'web-build';
}

const CONSOLE_ENTRY = 'src/console/main.tsx';
const SIGN_IN_ENTRY = 'src/console/sign-in/main.ts';
/** What the server needs of Vite's manifest: https://vite.dev/guide/backend-integration */
const manifestSchema = v.record(
  v.string(),
  v.object({
    file: v.string(),
    css: v.optional(v.array(v.string()), []),
    /** The parts that are loaded with it. */
    imports: v.optional(v.array(v.string()), []),
  }),
);

type Manifest = v.InferOutput<typeof manifestSchema>;

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
      console: {
        ...(await loadConsole(join(dir, 'console'))),
        playerScript: await readFile(join(dir, 'player', 'player.js'), 'utf8'),
      },
    };
  } catch (error) {
    throw new WebBuildError(`${dir} does not hold a built web part: run "npm run build"`, { cause: error });
  }
}

async function loadConsole(dir: string): Promise<Omit<ConsoleBuild, 'playerScript'>> {
  const text = await readFile(join(dir, '.vite', 'manifest.json'), 'utf8');
  const manifest = v.parse(manifestSchema, JSON.parse(text));
  const styles = listStyles(manifest, CONSOLE_ENTRY);
  return {
    urls: {
      script: findScript(CONSOLE_ENTRY),
      signInScript: findScript(SIGN_IN_ENTRY),
      styles: styles.map(toUrl),
      // They use the colours of the console, too.
      signInStyles: [...new Set([...styles, ...listStyles(manifest, SIGN_IN_ENTRY)])].map(toUrl),
    },
    files: await prepareAssets(dir),
  };

  function findScript(entry: string): string {
    const { file } = manifest[entry] ?? {};
    if (file === undefined) throw new Error(`the console's manifest has no ${entry}`);
    return toUrl(file);
  }
}

function toUrl(path: string): string {
  return `/${path}`;
}

/** The styles of a script and of all that it imports: Vite moves what several views share into a file of its own. */
export function listStyles(manifest: Manifest, name: string, known = new Set<string>()): readonly string[] {
  if (known.has(name)) return [];
  known.add(name);
  const { css = [], imports = [] } = manifest[name] ?? {};
  return [...imports.flatMap((part) => listStyles(manifest, part, known)), ...css];
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
