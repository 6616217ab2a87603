import { expect, test } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { createAskStay } from './create-ask-stay.ts';

const HEADERS = { 'service-worker-allowed': '/', 'content-type': 'text/javascript; charset=utf-8' };

type Given = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

function answer(body: string, { status = 200, headers = HEADERS }: Given = {}): LineReply {
  return { kind: 'answer', status, headers, timeMs: 1, certificate: undefined, body };
}

const SCRIPT = answer('/* Waypost 1.2.3 */\nstay');
const MISSING = answer('not found', { status: 404 });
const PAGE = answer('<!doctype html>');

function askStay(script: LineReply, worker: LineReply) {
  const ask = createAskStay(async (_, { path }) => (path === '/waypost/stay.js' ? script : worker));
  return ask('https://a.example');
}

test('knows the version of a line that has both files', async () => {
  expect(await askStay(SCRIPT, SCRIPT)).toEqual({ version: '1.2.3', faults: [] });
});

test.each([
  ['has no script', MISSING],
  ['answers every path with its page', PAGE],
  ['does not answer', { kind: 'timeout' } as const],
])('finds no fault in a line that %s', async (_, script) => {
  expect(await askStay(script, SCRIPT)).toEqual({ version: undefined, faults: [] });
});

test.each([
  ['stay-no-worker', MISSING],
  ['stay-no-worker', PAGE],
  ['stay-scope', answer('/* Waypost 1.2.3 */', { headers: { 'content-type': 'text/javascript' } })],
  ['stay-type', answer('/* Waypost 1.2.3 */', { headers: { ...HEADERS, 'content-type': 'text/plain' } })],
])('finds %s', async (kind, worker) => {
  expect((await askStay(SCRIPT, worker)).faults).toEqual([{ kind }]);
});
