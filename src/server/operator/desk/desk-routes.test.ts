import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import encodeQr from 'qr';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CheckEvent, DeskDraft, DeskState, DeskUpload } from '../../../contract/desk/desk.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import { DESK_PATHS } from '../../../contract/paths.ts';
import { ROLES, isRoleEnough } from '../../../contract/roles.ts';
import { createApp } from '../../http/create-app.ts';
import { HttpError } from '../../http/errors.ts';
import type { AskLine } from '../../lines/create-line-asker.ts';
import type { OperatorEnv } from '../access/operator-request.ts';
import { MessageError } from '../../messages/reach-safely.ts';
import { UncertainCommitError } from '../../store/database.ts';
import { askApp } from '../../testing/ask-app.ts';
import { openDeskWork } from '../../desk/work/open-desk-work.ts';
import { spawnFunction } from '../../testing/spawn-function.ts';
import { type TestDesk, openTestDesk } from '../../testing/test-desk.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { addDeskRoutes } from './desk-routes.ts';

type Answer<T> = {
  readonly status: number;
  readonly body: T;
  readonly code: string;
  readonly message: string;
};

const HANG = new URL('../../testing/hang-for-ever.ts', import.meta.url);
const EDIT = { file: 'site.json', edits: [{ path: ['theme', 'accent'], value: '#5ec28f' }] };
const PUBLISH = { why: 'a green week', basedOn: 1 };

/** The routes in process. The header `role` says who calls: guards have their own tests. */
function serve(test: TestDesk | undefined, askLine?: AskLine) {
  const app = createApp<OperatorEnv>(pino({ level: 'silent' }), answerRefusal);
  app.use((c, next) => {
    const header = (name: string) => c.req.header(name);
    const peerAddress = '127.0.0.1';
    c.set('request', { peerAddress, header, isEncrypted: false, isSecure: false, caller: '', prefix: '' });
    return next();
  });
  const notes: object[] = [];
  const faults: unknown[] = [];
  const tested: string[] = [];
  const ended = new Set<string>();
  addDeskRoutes(app, {
    desk: test?.desk,
    preview: {
      findOrigin: () => 'http://localhost:8083',
      makeLink: (_origin, pass) => JSON.stringify(pass),
      prepare: async () => [],
    },
    testBy: async ({ name }) => {
      tested.push(name);
      if (name === 'late') await new Promise(() => undefined);
      const fault = { kind: 'channel-status', host: 'hook.example', status: 500 } as const;
      if (name === 'bad') throw new MessageError(fault, { answer: { status: 500, words: 'no' } });
      return { status: 202, words: 'queued' };
    },
    check: { siteDir: test?.siteDir ?? '', askLine, now: () => test?.clock.now ?? 0 },
    audit: { write: ({ prefix: _prefix, ...entry }) => void notes.push(entry) },
    log: { error: (fault: unknown) => void faults.push(fault) },
    access: {
      demand: ({ header }, { role: needed }) => {
        const role = ROLES.find((known) => known === header('role')) ?? 'editor';
        if (!isRoleEnough(role, needed)) {
          throw new HttpError(403, { code: 'foreign-origin', message: 'no' });
        }
        const name = header('name') ?? 'eve';
        if (ended.has(name)) throw new HttpError(401, { code: 'token-required', message: 'no' });
        return { name, role, kind: 'password', person: undefined, session: undefined };
      },
    },
  });
  const ask = async <T>(
    method: string,
    path: string,
    body?: unknown,
    name = 'eve',
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> => {
    const { status, text } = await askApp(app, path, {
      method,
      headers: { name, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: isSendable(body) ? body : JSON.stringify(body) }),
    });
    const parsed = JSON.parse(text) as T & { error?: { code: string; message: string } };
    return { status, body: parsed, code: parsed.error?.code ?? '', message: parsed.error?.message ?? '' };
  };
  return {
    app,
    notes,
    faults,
    tested,
    /** The names of those whose sessions have ended. */
    ended,
    ask,
    get: <T>(path: string, name?: string) => ask<T>('GET', path, undefined, name),
    post: <T>(path: string, body: unknown, name?: string) => ask<T>('POST', path, body, name),
    put: (path: string, content: Buffer<ArrayBuffer> | string) =>
      ask<DeskUpload>('POST', `${DESK_PATHS.putFile}?path=${encodeURIComponent(path)}`, content, 'eve', {
        'content-type': 'application/octet-stream',
      }),
  };
}

function isSendable(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

test('work that never ends is answered with a clear error, and other calls are answered meanwhile', async () => {
  const work = openDeskWork({
    log: { warn: () => undefined },
    limitMs: 2_000,
    startProcess: () => spawnFunction(HANG, 'hangForEver', []),
  });
  onTestFinished(work.close);
  const { get, post } = serve(await openTestDesk({ work: work.work }));
  const editing = post(DESK_PATHS.edit, EDIT);
  expect((await get(DESK_PATHS.versions)).status).toBe(200);
  expect(await editing).toMatchObject({
    status: 422,
    code: 'took-too-long',
    message: 'This was stopped, because it took too much time or memory: make the file smaller or simpler.',
  });
  expect((await get<DeskDraft>(DESK_PATHS.draft)).body.draft).toBeNull();
});

describe('the whole way', () => {
  test('edit, look, publish, list, compare, bring back', async () => {
    const { get, post, notes } = serve(await openTestDesk());
    expect((await get<DeskState>(DESK_PATHS.state)).body).toMatchObject({
      isOn: true,
      current: { number: 1, from: 'start' },
      me: { name: 'eve', role: 'editor' },
      draft: null,
      folderDraft: null,
    });
    expect(await post(DESK_PATHS.edit, EDIT)).toMatchObject({ status: 200 });
    const { body } = await get<DeskDraft>(DESK_PATHS.draft);
    expect(body.draft?.changes).toMatchObject([{ kind: 'value', path: 'theme.accent' }]);
    expect(JSON.parse(body.json['site.json'] ?? '')).toMatchObject({ theme: { accent: '#5ec28f' } });
    expect((await post(DESK_PATHS.publish, PUBLISH)).body).toMatchObject({ number: 2, by: 'eve' });
    expect((await get<{ versions: unknown[] }>(DESK_PATHS.versions)).body.versions).toHaveLength(2);
    expect((await get(`${DESK_PATHS.difference}?from=1&to=2`)).body).toMatchObject({
      changes: [{ before: '"#e0b34c"', after: '"#5ec28f"' }],
    });
    const back = { number: 1, why: '', basedOn: 2 };
    expect((await post(DESK_PATHS.restore, back)).body).toMatchObject({ number: 3, from: 'rollback' });
    await post(DESK_PATHS.edit, EDIT);
    await post(DESK_PATHS.edit, { ...EDIT, edits: [{ path: ['theme', 'accent'], value: '#222222' }] });
    await post(DESK_PATHS.discard, {});
    expect(notes).toEqual([
      { by: 'eve', action: 'draft-begun' },
      { by: 'eve', action: 'published', to: 'version 2', detail: 'a green week' },
      { by: 'eve', action: 'rolled-back', to: 'version 1', detail: 'as version 3' },
      { by: 'eve', action: 'draft-begun' },
      { by: 'eve', action: 'draft-discarded', detail: 'own' },
    ]);
  });

  test('a publication of which nobody knows whether it took effect is noted as such, and one that was refused is not', async () => {
    let isLost = false;
    const { post, notes, ask } = serve(
      await openTestDesk({
        wrap: (database) => ({
          ...database,
          transaction: async (work) => {
            const result = await database.transaction(work);
            if (isLost) throw new UncertainCommitError('the answer was lost');
            return result;
          },
        }),
      }),
    );
    await post(DESK_PATHS.edit, EDIT);
    expect((await post(DESK_PATHS.publish, { ...PUBLISH, basedOn: 9 })).code).toBe('version-conflict');
    isLost = true;
    const key = { 'idempotency-key': 'a-1' };
    const publish = () => ask('POST', DESK_PATHS.publish, PUBLISH, 'eve', key);
    expect(await publish()).toMatchObject({ status: 503, code: 'store-uncertain' });
    const back = { number: 1, why: '', basedOn: 2 };
    expect((await post(DESK_PATHS.restore, back)).code).toBe('store-uncertain');
    isLost = false;
    // The same key makes it safe to send it again, and no other person can use it.
    expect(await publish()).toMatchObject({ status: 200, body: { number: 2, why: 'a green week' } });
    expect((await ask('POST', DESK_PATHS.publish, PUBLISH, 'otto', key)).code).toBe('nothing-changed');
    expect(notes.slice(1)).toEqual([
      { by: 'eve', action: 'published', to: 'version 2', detail: 'a green week', isUncertain: true },
      { by: 'eve', action: 'rolled-back', to: 'version 1', detail: 'as version 3', isUncertain: true },
      { by: 'eve', action: 'published', to: 'version 2', detail: 'a green week' },
    ]);
    const bad = await ask('POST', DESK_PATHS.publish, PUBLISH, 'eve', { 'idempotency-key': 'a b' });
    expect(bad).toMatchObject({ status: 400, message: expect.stringContaining('Idempotency-Key must have') });
  });

  test('a file is put in, shown as what it is, and taken out', async () => {
    const { app, post, put, get } = serve(await openTestDesk());
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    await put('images/new.svg', svg);
    const { headers, text } = await askApp(app, `${DESK_PATHS.file}?path=images/new.svg`);
    expect([headers['content-type'], headers['x-content-type-options'], text]).toEqual([
      'image/svg+xml',
      'nosniff',
      svg,
    ]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    await post(DESK_PATHS.removeFile, { path: 'images/new.svg' });
    expect((await get<DeskState>(DESK_PATHS.state)).body).toMatchObject({ draft: null });
    expect(await get(`${DESK_PATHS.file}?path=../secret`)).toMatchObject({
      status: 404,
      code: 'unknown-file',
    });
  });

  test('smaller formats come and go with an image', async () => {
    const { get, post, put } = serve(await openTestDesk());
    const paths = async () =>
      (await get<DeskDraft>(DESK_PATHS.draft)).body.files
        .map(({ path }) => path)
        .filter((path) => path.includes('photo'))
        .toSorted();
    const plain = sharp({ create: { width: 300, height: 300, channels: 3, background: '#e0b34c' } });
    const jpeg = await plain.clone().jpeg({ quality: 100 }).toBuffer();
    await put('images/photo.png', await plain.png({ compressionLevel: 0 }).toBuffer());
    expect(await paths()).toEqual(['images/photo.avif', 'images/photo.png', 'images/photo.webp']);
    const tiny = sharp({ create: { width: 1, height: 1, channels: 3, background: '#e0b34c' } });
    await put('images/photo.png', await tiny.png().toBuffer());
    expect(await paths()).toEqual(['images/photo.png', 'images/photo.webp']);
    // Another image of the same name needs them. Without it, they are copies of what is gone.
    await put('images/photo.jpg', jpeg);
    const before = await paths();
    await post(DESK_PATHS.removeFile, { path: 'images/photo.png' });
    expect(await paths()).toEqual(before.filter((path) => path !== 'images/photo.png'));
    await post(DESK_PATHS.removeFile, { path: 'images/photo.jpg' });
    expect(await paths()).toEqual([]);
  });

  test('a link to a preview names the person, the draft, and the console that asks', async () => {
    const { ask, post, get } = serve(await openTestDesk());
    expect((await get<DeskState>(DESK_PATHS.state)).body).toMatchObject({ hasPreview: true });
    const { body } = await post<{ url: string }>(DESK_PATHS.preview, { draft: 'folder' });
    expect(JSON.parse(body.url)).toEqual({ person: 'eve', draft: 'folder', consoleOrigin: "'none'" });
    // It is written into the policy of the pages that the console frames.
    for (const [origin, consoleOrigin] of [
      ['https://console.example:8443', 'https://console.example:8443'],
      ['https://console.example/ https://evil.example; script-src *', "'none'"],
    ]) {
      const answer = await ask<{ url: string }>('POST', DESK_PATHS.preview, { draft: 'own' }, 'eve', {
        origin: origin ?? '',
      });
      expect(JSON.parse(answer.body.url)).toMatchObject({ consoleOrigin });
    }
  });

  test('a session that ends while a slow body comes makes no link to a preview', async () => {
    const { app, ended } = serve(await openTestDesk());
    const body = new ReadableStream(
      {
        pull: (controller) => {
          ended.add('eve');
          controller.enqueue(Buffer.from('{}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-type': 'application/json', 'content-length': '2' };
    const { status } = await askApp(app, DESK_PATHS.preview, { method: 'POST', headers, body });
    expect(status).toBe(401);
  });

  test('of two people the second sees what the first published, and applies theirs on top', async () => {
    const { post } = serve(await openTestDesk());
    await post(DESK_PATHS.edit, EDIT);
    await post(
      DESK_PATHS.edit,
      { file: 'site.json', edits: [{ path: ['lines', 'marker'], value: 'm' }] },
      'adam',
    );
    await post(DESK_PATHS.publish, PUBLISH, 'adam');
    const refused = await post<{ error: object }>(DESK_PATHS.publish, PUBLISH);
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      {
        code: 'version-conflict',
        current: { number: 2 },
        changes: [{ path: 'lines.marker' }],
        conflicts: [],
      },
    ]);
    await post(DESK_PATHS.rebase, {});
    expect(await post(DESK_PATHS.publish, { ...PUBLISH, basedOn: 2 })).toMatchObject({ status: 200 });
  });
});

describe('a call', () => {
  test('while editing is off says how to turn it on', async () => {
    const { get, post } = serve(undefined);
    expect((await get<DeskState>(DESK_PATHS.state)).body).toEqual({ isOn: false });
    expect(await post(DESK_PATHS.edit, EDIT)).toMatchObject({
      status: 409,
      code: 'editing-off',
      message: expect.stringContaining('--edit'),
    });
  });

  test('by a viewer changes nothing', async () => {
    const { app } = serve(await openTestDesk());
    for (const path of [DESK_PATHS.edit, DESK_PATHS.publish, DESK_PATHS.restore, DESK_PATHS.check]) {
      const { status } = await askApp(app, path, { method: 'POST', headers: { role: 'viewer' }, body: '{}' });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  test.each<[name: string, path: keyof typeof DESK_PATHS, body: unknown, message: string]>([
    ['nothing', 'edit', '', 'the body is no JSON'],
    ['half of it', 'edit', '{', 'the body is no JSON'],
    ['a JSON bomb', 'edit', '['.repeat(100_000), 'lists and objects may be nested 64 deep: write it flatter'],
    ['no file', 'edit', {}, 'file is missing'],
    ['an unknown key', 'edit', { ...EDIT, more: 1 }, 'more is not a known key'],
    ['no edits', 'edit', { ...EDIT, edits: [] }, 'edits must not be empty'],
    ['two lines', 'publish', { why: 'two\nlines', basedOn: 1 }, 'why must be one line'],
    ['a long line', 'publish', { why: 'x'.repeat(201), basedOn: 1 }, 'why may have at most 200 characters'],
    ['no version', 'publish', { why: '' }, 'basedOn is missing'],
    ['version 0', 'restore', { number: 0, why: '', basedOn: 1 }, 'number must be a whole number above 0'],
  ])('with %s is refused with a sentence', async (_name, path, body, message) => {
    const { post } = serve(await openTestDesk());
    const answer = await post(DESK_PATHS[path], body);
    expect([answer.status, answer.code]).toEqual([400, 'body-invalid']);
    expect(answer.message).toContain(message);
  });

  test('with an image of 50 MB is refused with a sentence, and with one of 5 MB is not', async () => {
    const { put } = serve(await openTestDesk());
    const putImage = (bytes: number) => {
      const image = Buffer.alloc(bytes);
      image.write('\x89PNG\r\n\x1a\n', 'latin1');
      return put('images/x.png', image);
    };
    const refused = await putImage(50_000_000);
    expect([refused.status, refused.code]).toEqual([413, 'body-too-large']);
    expect(refused.message).toContain('a file may have 5,000,000 bytes');
    expect(await putImage(5_000_001)).toMatchObject({ status: 413 });
    expect(await putImage(5_000_000)).toMatchObject({ status: 200 });
  });

  test('that would make a JSON file larger than 1,000,000 bytes is refused, and one of that size is not', async () => {
    const { post, put } = serve(await openTestDesk());
    const putJson = (bytes: number) =>
      put('site.json', JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) }));
    const sentence = 'site.json: a JSON file may have at most 1,000,000 bytes, and this has 1,000,';
    expect(await putJson(1_000_001)).toMatchObject({
      status: 422,
      code: 'file-refused',
      message: expect.stringContaining(sentence),
    });
    expect(await putJson(1_000_000)).toMatchObject({ status: 200 });
    const edits = [{ path: ['texts'], value: {} }];
    expect(await post(DESK_PATHS.edit, { file: 'site.json', edits })).toMatchObject({
      code: 'file-refused',
      message: expect.stringContaining(sentence),
    });
  });

  test('with 10,000 lines is taken into a draft, and not published', async () => {
    const { post } = serve(await openTestDesk());
    const hosts = Array.from({ length: 10_000 }, (_, index) => `line${index}.example`);
    const edits = [{ path: ['lines', 'hosts'], value: hosts }];
    expect(await post(DESK_PATHS.edit, { file: 'site.json', edits })).toMatchObject({ status: 200 });
    const refused = await post<{ error: { faults: ToldFault[] } }>(DESK_PATHS.publish, PUBLISH);
    expect(refused).toMatchObject({ status: 422, code: 'draft-invalid' });
    expect(refused.body.error.faults[0]?.sentences.en).toContain('lines.hosts must name at most 1000 hosts');
  });

  test('that sends a name or an image that could do harm is refused', async () => {
    const { put } = serve(await openTestDesk());
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>';
    for (const [path, content, sentence] of [
      ['', '', 'The name of a file must be a path such as'],
      ['../../etc/x.json', '', 'The name of a file must be a path such as'],
      ['images/a\nb.svg', '', 'The name of a file must be a path such as'],
      ['images/x.svg', script, 'an image must not run'],
    ] as const) {
      const { status, code, message } = await put(path, content);
      expect([status, code, message]).toEqual([422, 'file-refused', expect.stringContaining(sentence)]);
    }
  });

  test('that comes together with others loses none of them', async () => {
    const { post, put, get } = serve(await openTestDesk());
    const paths = ['images/a.svg', 'images/b.svg', 'images/c.svg'];
    const answers = await Promise.all([
      ...paths.map((path) => put(path, '<svg xmlns="http://www.w3.org/2000/svg"/>')),
      post(DESK_PATHS.edit, EDIT),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await get<DeskDraft>(DESK_PATHS.draft);
    expect(body.files.filter(({ isChanged }) => isChanged).map(({ path }) => path)).toEqual(
      expect.arrayContaining([...paths, 'site.json']),
    );
  });
});

describe('the check', () => {
  const readEvents = async (
    app: Parameters<typeof askApp>[0],
    body: object,
  ): Promise<readonly CheckEvent[]> => {
    const headers = { name: 'eve', 'content-type': 'application/json' };
    const { text } = await askApp(app, DESK_PATHS.check, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CheckEvent);
  };

  test('names each fault with its place', async () => {
    const { app, post } = serve(await openTestDesk());
    await post(DESK_PATHS.edit, {
      file: 'site.json',
      edits: [{ path: ['lines', 'hosts', 1], value: 'a b' }],
    });
    expect(await readEvents(app as never, {})).toMatchObject([
      {
        kind: 'files',
        faults: [
          {
            code: 'invalid-value',
            place: { file: 'site.json', path: ['lines', 'hosts', 1], line: expect.any(Number) },
          },
        ],
      },
      { kind: 'done', isGood: false },
    ]);
  });

  test('warns as "waypost check" does, and says what only an owner may publish', async () => {
    const { app, post } = serve(await openTestDesk());
    const edits = [{ path: ['analytics'], value: { measurementId: 'G-1' } }];
    await post(DESK_PATHS.edit, { file: 'site.json', edits });
    const [files, done] = await readEvents(app as never, {});
    expect(files).toMatchObject({ kind: 'files', faults: [], ownerKeys: ['analytics'], lines: 0 });
    // What is live already is told apart from what the draft adds.
    const codes = files?.kind === 'files' ? files.knownWarnings.map(({ code }) => code) : [];
    expect(codes).toContain('demo-content');
    expect(files).toMatchObject({ warnings: [] });
    expect(done).toEqual({ kind: 'done', isGood: true });
  });

  test('calls a fault what publishing then refuses: a bad link, a QR code of another address', async () => {
    const test = await openTestDesk();
    const { app, post, put } = serve(test);
    const edits = [{ path: ['esb'], value: 'htps:/app.example' }];
    await post(DESK_PATHS.edit, { file: 'json/link.json', edits });
    await put('images/wallet-qr.svg', encodeQr('https://phishing.example/', 'svg'));
    const faults = [
      { code: 'invalid-value', place: { file: 'json/link.json', path: ['esb'] } },
      { code: 'wrong-qr-code', place: { file: 'site.json', path: ['images', 'walletQr'] } },
    ];
    const [files, done] = await readEvents(app as never, {});
    expect(files).toMatchObject({ kind: 'files', faults });
    expect(done).toEqual({ kind: 'done', isGood: false });
    const { status, code, body } = await post<{ error: object }>(DESK_PATHS.publish, PUBLISH);
    expect({ status, code }).toEqual({ status: 422, code: 'draft-invalid' });
    expect(body.error).toMatchObject({ faults });
    expect(await test.stores.versions.currentNumber()).toBe(1);
  });

  test('warns of a link that is left out, and lets it be published', async () => {
    const test = await openTestDesk();
    const { app, post } = serve(test);
    await post(DESK_PATHS.edit, { file: 'json/link.json', edits: [{ path: ['esb'] }] });
    const [files] = await readEvents(app as never, {});
    expect(files).toMatchObject({ faults: [], warnings: [{ code: 'missing-key' }] });
    expect(await post(DESK_PATHS.publish, PUBLISH)).toMatchObject({ status: 200 });
  });

  test('lets a line be replaced although a bad link is live already, and lets a version come back that has one', async () => {
    const test = await openTestDesk();
    const { app, post } = serve(test);
    await writeFile(join(test.siteDir, 'json/link.json'), JSON.stringify({ esb: 'htps:/app.example' }));
    await test.noticeFolder();
    await post(DESK_PATHS.edit, EDIT);
    const [files] = await readEvents(app as never, {});
    expect(files).toMatchObject({ faults: [], warnings: [] });
    expect(files?.kind === 'files' && files.knownWarnings).toContainEqual(
      expect.objectContaining({ code: 'invalid-value' }),
    );
    expect(await post(DESK_PATHS.publish, { why: '', basedOn: 2 })).toMatchObject({ status: 200 });
    await post(DESK_PATHS.edit, { file: 'json/link.json', edits: [{ path: ['esb'] }] });
    expect(await post(DESK_PATHS.publish, { why: '', basedOn: 3 })).toMatchObject({ status: 200 });
    const back = { number: 3, why: '', basedOn: 4 };
    expect(await post(DESK_PATHS.restore, back)).toMatchObject({ status: 200 });
  });

  test('asks the lines that are new or changed, and no others', async () => {
    const asked = new Set<string>();
    const askLine: AskLine = async (address) => {
      asked.add(new URL(address).hostname.replace(/^www\d+\./, ''));
      return { kind: 'unreachable', code: 'ECONNREFUSED' };
    };
    const { app, post } = serve(await openTestDesk(), askLine);
    const edits = [{ path: ['lines', 'hosts', 0], value: 'new.example', insert: true }];
    await post(DESK_PATHS.edit, { file: 'site.json', edits });
    const [files, line, done] = await readEvents(app as never, { lines: true });
    expect(files).toMatchObject({ lines: 1 });
    expect(line).toMatchObject({
      kind: 'line',
      host: 'new.example',
      role: 'line',
      addresses: 5,
      goodAddresses: 0,
    });
    expect(done).toEqual({ kind: 'done', isGood: true });
    expect([...asked]).toEqual(['new.example']);
    await post(DESK_PATHS.edit, {
      file: 'site.json',
      edits: [{ path: ['lines', 'marker'], value: 'other' }],
    });
    const events = await readEvents(app as never, { lines: true });
    expect(events.length).toBeGreaterThan(10);
  });

  test('that fails says that it is not good, and the log says why', async () => {
    const error = new Error('no room for another socket');
    const { app, post, faults } = serve(await openTestDesk(), () => Promise.reject(error));
    const edits = [{ path: ['lines', 'hosts', 0], value: 'new.example', insert: true }];
    await post(DESK_PATHS.edit, { file: 'site.json', edits });
    const events = await readEvents(app as never, { lines: true });
    expect(events.at(-1)).toEqual({ kind: 'done', isGood: false });
    expect(faults).toEqual([{ err: error }]);
  });
});

describe('a test by a channel of a draft', () => {
  const hook = (name: string, more: object = {}) => ({
    name,
    kind: 'webhook',
    url: 'https://hook.example/',
    ...more,
  });

  async function openDraft(...channels: readonly object[]) {
    const served = serve(await openTestDesk());
    const edits = [{ path: ['alerts'], value: { channels, rules: 'not a list' } }];
    await served.post(DESK_PATHS.edit, { file: 'site.json', edits }, 'otto');
    const ask = (channel: string, role = 'owner', name = 'otto') =>
      served.ask<object>('POST', DESK_PATHS.testChannel, { channel }, name, { role });
    return { ...served, ask };
  }

  test('says what the other side answered, whatever else is wrong in the draft', async () => {
    const { ask, notes } = await openDraft(hook('night'), hook('bad'));
    expect(await ask('night')).toMatchObject({
      status: 200,
      body: { answer: { status: 202, words: 'queued' } },
    });
    expect(notes.at(-1)).toMatchObject({ action: 'channel-tested', to: 'night', detail: 'draft' });
    expect(await ask('bad')).toMatchObject({
      status: 502,
      body: {
        error: {
          code: 'channel-failed',
          fault: { kind: 'channel-status', status: 500 },
          answer: { status: 500, words: 'no' },
        },
      },
    });
  });

  test('is for owners, and for their own draft', async () => {
    const { ask, tested } = await openDraft(hook('night'));
    expect((await ask('night', 'editor')).status).toBe(403);
    expect(await ask('night', 'owner', 'olga')).toMatchObject({ status: 404, code: 'unknown-channel' });
    expect(tested).toEqual([]);
  });

  test('is sent by no channel that could not be published', async () => {
    const { ask, tested } = await openDraft(hook('night', { url: 'file:///etc/passwd', more: 1 }));
    expect(await ask('night')).toMatchObject({
      code: 'draft-invalid',
      body: {
        error: {
          faults: [
            { place: { path: ['alerts', 'channels', 0, 'url'] } },
            { place: { path: ['alerts', 'channels', 0, 'more'] } },
          ],
        },
      },
    });
    expect(tested).toEqual([]);
  });

  test('waits for nothing: while three are under way, the next one is refused', async () => {
    const { ask, tested } = await openDraft(hook('late'), hook('night'));
    for (const _ of [1, 2, 3]) void ask('late');
    await expect.poll(() => tested.length).toBe(3);
    expect(await ask('night')).toMatchObject({ status: 503, code: 'desk-busy' });
  });
});
