import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadWebBuild } from './load-web-build.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-web-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

test('a build is the renderer, made with its manifest, and the files of the client', async () => {
  for (const folder of ['client/.vite', 'client/assets', 'server', 'console/.vite', 'console/assets'])
    await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, 'client/.vite/manifest.json'), '{"main.ts":{"file":"assets/main-1a2b.js"}}');
  await writeFile(join(dir, 'client/assets/main-1a2b.js'), 'run();'.repeat(100));
  await writeFile(join(dir, 'client/robots.txt'), 'User-agent: *');
  await writeFile(join(dir, 'client/assets/notes.unknown'), 'left out');
  await writeFile(
    join(dir, 'server/render-page.js'),
    'export const createRenderPage = (manifest) => () => manifest["main.ts"].file;',
  );
  const entry = { file: 'assets/main-3c4d.js', css: ['assets/main-5e6f.css'] };
  await writeFile(
    join(dir, 'console/.vite/manifest.json'),
    JSON.stringify({ 'src/console/main.tsx': entry }),
  );
  await writeFile(join(dir, 'console/assets/main-3c4d.js'), 'draw();');
  const { renderPage, assets, console } = await loadWebBuild(dir);
  expect(console.urls).toEqual({ script: '/assets/main-3c4d.js', styles: ['/assets/main-5e6f.css'] });
  expect([...console.files.keys()]).toEqual(['/assets/main-3c4d.js']);
  expect((renderPage as () => unknown)()).toBe('assets/main-1a2b.js');
  expect([...assets.keys()].toSorted()).toEqual(['/assets/main-1a2b.js', '/robots.txt']);
  expect(assets.get('/assets/main-1a2b.js')?.br?.headers['Cache-Control']).toContain('immutable');
  expect(assets.get('/robots.txt')?.identity.headers['Cache-Control']).toBe('no-cache');
});

test('a build that is not there is named, with what to do about it', async () => {
  await expect(loadWebBuild(dir)).rejects.toThrow('does not hold a built web part: run "npm run build"');
});
