import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLog } from './create-log.ts';

/** What a log writes. */
async function readLog(isTerminal: boolean): Promise<string> {
  let written = '';
  const open = (): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written += String(chunk);
        done();
      },
    });
  const { log, flush } = await createLog({ isTerminal, open });
  log.warn({ line: 'a' }, 'hello');
  log.info({ method: 'GET', path: '/r', status: 200, ms: 1 }, 'request');
  expect(await flush()).toBe(true);
  return stripVTControlCharacters(written);
}

test('is readable text where a person looks on', async () => {
  expect(await readLog(true)).toMatch(
    /^\[[\d:.]+\] WARN: hello\n +line: "a"\n\[[\d:.]+\] INFO: request\n +method: "GET"\n/,
  );
});

test('is JSON elsewhere, one line each', async () => {
  const lines = (await readLog(false)).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { level: 40, time: expect.any(Number), line: 'a', msg: 'hello' },
    { level: 30, time: expect.any(Number), method: 'GET', path: '/r', status: 200, ms: 1, msg: 'request' },
  ]);
});

test('says how many lines were dropped, once it can be written again', async () => {
  let isFull = true;
  let written = '';
  const open = (): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        if (!isFull) written += String(chunk);
        done(isFull ? new Error('ENOSPC') : null);
      },
    });
  const { log, droppedLogLines, flush } = await createLog({ isTerminal: false, open });
  log.info('one');
  log.info('two');
  await flush();
  expect(droppedLogLines()).toBe(2);
  isFull = false;
  log.info('three');
  await flush();
  await flush();
  expect(written).toMatch(/"msg":"three"\}\n.*"dropped":2,"msg":"the log could not be written for a while/);
});
