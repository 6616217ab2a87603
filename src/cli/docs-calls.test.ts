import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../server/main.ts';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import { startTestServer } from '../server/testing/start-test-server.ts';

const ROOT = new URL('../../', import.meta.url);
const TOKEN = 'a-token-of-the-listener';

let dir: string;
let site: Awaited<ReturnType<typeof makeSiteFolder>>;
/** Without a token, as on a machine of one's own. */
let open: RunningServer;
/** With one. */
let guarded: RunningServer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-docs-'));
  site = await makeSiteFolder({
    site: { analytics: { counts: 'self' }, monitoring: { intakeUrl: 'self' }, offline: { mode: 'off' } },
  });
  const options = { siteDir: site.dir };
  [open, guarded] = await Promise.all([
    startTestServer({ ...options, dataDir: join(dir, 'open') }),
    startTestServer({ ...options, dataDir: join(dir, 'guarded'), opsToken: TOKEN }),
  ]);
});

afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  await Promise.all([rm(dir, { recursive: true }), site.remove()]);
});

test.each(await listCalls())(
  '%s: %s is let in, and asks for something that is there',
  async (_file, command) => {
    const server = command.includes('Authorization') ? guarded : open;
    const script = command
      .replaceAll(/(?:localhost|127\.0\.0\.1):8080/g, `localhost:${new URL(server.url).port}`)
      .replaceAll(/127\.0\.0\.1:(?:8081|18080)/g, new URL(server.opsUrl).host)
      .replaceAll('ADDRESS', '203.0.113.9')
      .replaceAll(/\b(?:ID|VIEW)\b/g, '0123456789abcdef0123456789abcdef')
      // A stream has no end. What comes first is enough.
      .replace(/^curl /, "curl -sS --max-time 5 -w '\\n%{http_code}' ");
    const environment = { ...process.env, WAYPOST_OPS_TOKEN: TOKEN, TOKEN };
    const { stdout } = await promisify(execFile)('bash', ['-uc', `${script} || true`], { env: environment });
    const answer = stdout.trimEnd();
    // What the reader must fill in is not there, and the answer says what it is.
    const isFound = /\n2\d\d$/.test(answer) || /"code":"unknown-[a-z]+"[^]*\n404$/.test(answer);
    expect(isFound, answer.slice(-300)).toBe(true);
  },
);

/** Every `curl` of the documents that asks a portal of the reader's own machine. `docs.test.ts` runs those of docs/api.md. */
async function listCalls(): Promise<readonly (readonly [file: string, command: string])[]> {
  const docs = (await readdir(new URL('docs', ROOT))).filter((name) => name.endsWith('.md'));
  const files = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)];
  const calls = await Promise.all(
    files
      .filter((file) => file !== 'docs/api.md')
      .map(async (file) => {
        const text = (await readFile(new URL(file, ROOT), 'utf8')).replaceAll(/ *\\\n\s*/g, ' ');
        const found = text.match(/(?<=^\s*|`)curl [^`\n]*(?:localhost|127\.0\.0\.1):[^`\n]*/gm) ?? [];
        return found.map((command) => [file, command.trim()] as const);
      }),
  );
  return calls.flat();
}
