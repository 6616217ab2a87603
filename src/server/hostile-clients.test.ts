import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunningServer } from './main.ts';
import { createRandom } from '../engine/testing/create-random.ts';
import { tenthOf } from '../engine/testing/tenth-of.ts';
import { makeRequest } from './testing/random-requests.ts';
import { connectRaw } from './testing/raw-client.ts';
import { DEMO_SITE } from './testing/site-files.ts';
import { startTestServer } from './testing/start-test-server.ts';
import { spawnFunction } from './testing/spawn-function.ts';

let dir: string;
let server: RunningServer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-hostile-'));
  server = await startTestServer({
    dataDir: dir,
    bounds: { headersTimeoutMs: 200, requestTimeoutMs: 300 },
  });
});

afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

/** Sends bytes, and resolves with all that comes back until the server hangs up. */
function send(bytes: string): Promise<string> {
  const { socket, closed } = connectRaw(server.url);
  socket.write(bytes, 'latin1');
  return closed;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const CLOSE = 'Host: localhost\r\nConnection: close\r\n';

describe('a request that is too large', () => {
  test('is refused by its address, its headers or its body', async () => {
    expect(statusOf(await send(`GET /${'x'.repeat(2_048)} HTTP/1.1\r\n${CLOSE}\r\n`))).toBe(414);
    expect(statusOf(await send(`GET /${'x'.repeat(2_047)} HTTP/1.1\r\n${CLOSE}\r\n`))).toBe(404);
    expect(statusOf(await send(`GET / HTTP/1.1\r\n${CLOSE}X: ${'x'.repeat(16_384)}\r\n\r\n`))).toBe(431);
    const report = (length: number) =>
      send(
        `POST /api/measurements HTTP/1.1\r\n${CLOSE}Content-Length: ${length}\r\n\r\n${'x'.repeat(length)}`,
      );
    expect(await report(2_048)).toContain('report-invalid');
    expect(await report(2_049)).toContain('report-too-large');
    expect(await report(5_000_000)).toContain('report-too-large');
    const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`;
    expect(
      await send(
        `POST /api/measurements HTTP/1.1\r\n${CLOSE}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
      ),
    ).toContain('report-too-large');
  });
});

describe('a slow client', () => {
  test('that never ends its headers is cut off', async () => {
    const { socket, closed } = connectRaw(server.url);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const dripping = setInterval(() => socket.write('X: y\r\n'), 20);
    expect(statusOf(await closed)).toBe(408);
    clearInterval(dripping);
  });

  test('that never ends its body is cut off', async () => {
    const { socket, closed } = connectRaw(server.url);
    socket.write('POST /api/measurements HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n{');
    const dripping = setInterval(() => socket.write(' '), 20);
    expect(statusOf(await closed)).toBe(408);
    clearInterval(dripping);
  });

  test('does not keep the others waiting', async () => {
    const slow = Array.from({ length: 200 }, () => connectRaw(server.url));
    for (const { socket } of slow) socket.write('GET / HTTP/1.1\r\nHo');
    expect((await fetch(server.url)).status).toBe(200);
    await Promise.all(slow.map(({ closed }) => closed));
  });
});

describe('a connection', () => {
  test('that is closed for sending still gets its answer', async () => {
    const { socket, closed } = connectRaw(server.url, { allowHalfOpen: true });
    socket.end('GET /json/link.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await closed).toContain('"ub":');
  });

  test('that is reset in the middle hurts nobody', async () => {
    const { socket, closed } = connectRaw(server.url);
    await once(socket, 'connect');
    socket.write(
      'POST /api/measurements HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"ticket":',
    );
    socket.resetAndDestroy();
    await closed;
    expect((await fetch(server.url)).status).toBe(200);
  });

  test('may carry many requests at once, and is answered in their order', async () => {
    const paths = ['/json/link.json', '/none', '/t/localhost', '/api/get_ip'];
    const asked = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('');
    const client = connectRaw(server.url);
    client.socket.write(asked);
    await vi.waitFor(() => expect(client.received()).toContain('get_ip'));
    client.socket.destroy();
    const statuses = client.received().match(/HTTP\/1\.1 \d+/g);
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  });

  test('that turns into noise is answered up to there, then closed', async () => {
    const answer = await send(
      'GET /json/link.json HTTP/1.1\r\nHost: localhost\r\n\r\n\0\x01 garbage \r\n\r\n',
    );
    expect(answer).toContain('"ub":');
    expect(answer.match(/HTTP\/1\.1 (?!400)/g)).toHaveLength(1);
  });

  test('cannot smuggle a second request in a body of two lengths', async () => {
    const answer = await send(
      `POST /api/measurements HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/get_ip HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(400);
    expect(answer).not.toContain('get_ip');
  });
});

test('event streams whose clients have gone give their places back', { timeout: 300_000 }, async () => {
  const events = `${server.opsUrl}/api/console/events`;
  const asked = 'GET /api/console/events HTTP/1.1\r\nHost: localhost\r\n\r\n';
  for (let round = 0; round < 2; round += 1) {
    const client = connectRaw(server.opsUrl);
    // The others wait behind the first one, which never ends.
    client.socket.write(asked.repeat(16));
    await vi.waitFor(async () => {
      const { status, body } = await fetch(events);
      await body?.cancel();
      // The places of the round before may have come free only now.
      if (status !== 503) client.socket.write(asked.repeat(16));
      expect(status).toBe(503);
    });
    client.socket.destroy();
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(events)));
        for (const { body } of answers) await body?.cancel();
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      },
      // Each try takes places itself, and the server must notice that they are free again before the next one. It notices
      // at its next sign of life at the latest, which it sends every 10 s.
      { interval: 1_000, timeout: 120_000 },
    );
  }
});

describe('a portal in a process of its own', { timeout: 120_000 }, () => {
  let child: ChildProcess | undefined;

  // A run that fails must not leave its server behind.
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  test('grows by under 40 MB when 50 connections send 2,400 requests each and take no answer, and answers the others', async () => {
    child = await spawnPortal();
    child.stdout?.resume();
    const [{ url, opsUrl }] = (await once(child, 'message')) as [{ url: string; opsUrl: string }];
    const readMetric = async (pattern: RegExp) =>
      Number(pattern.exec(await (await fetch(`${opsUrl}/metrics`)).text())?.[1] ?? 0);
    const before = await readMetric(/process_resident_memory_bytes (\d+)/);
    let largest = before;
    const requests = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2_400);
    const attackers = Array.from({ length: 50 }, () => connectRaw(url));
    for (const { socket } of attackers) socket.pause().write(requests);
    await vi.waitFor(async () => {
      expect((await fetch(url)).status).toBe(200);
      largest = Math.max(largest, await readMetric(/process_resident_memory_bytes (\d+)/));
      expect(await readMetric(/connections_cut_total\{reason="too-many-requests"\} (\d+)/)).toBe(50);
    });
    for (const { socket } of attackers) socket.destroy();
    // A shipped portal starts at 80 MB. This one has the tools in it that compile its sources.
    expect((largest - before) / 1e6).toBeLessThan(40);
  });

  test('neither fails nor ends at thousands of made-up requests, and its memory stays flat', async () => {
    child = await spawnPortal();
    const errors: string[] = [];
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('request failed')) errors.push(chunk.toString());
    });
    const [{ url, opsUrl }] = (await once(child, 'message')) as [{ url: string; opsUrl: string }];
    const random = createRandom(20_260_105);
    const readHeap = async () =>
      Number(/nodejs_heap_size_used_bytes (\d+)/.exec(await (await fetch(`${opsUrl}/metrics`)).text())?.[1]);
    const statuses = new Map<string, number>();
    let answered = 0;
    // Ten on each connection, of which the first that is no HTTP ends it. Returns the smallest heap that was seen: what
    // is garbage by then goes and comes as the collector likes.
    const sendUntil = async (wanted: number): Promise<number> => {
      let smallest = Infinity;
      while (answered < wanted) {
        const clients = Array.from({ length: 50 }, () => {
          const client = connectRaw(url);
          client.socket.end(Buffer.concat(Array.from({ length: 10 }, () => makeRequest(random))));
          return client.closed;
        });
        for (const answer of await Promise.all(clients)) {
          for (const [, status = ''] of answer.matchAll(/HTTP\/1\.1 (\d+) /g)) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            answered += 1;
          }
        }
        smallest = Math.min(smallest, await readHeap());
      }
      return smallest;
    };
    const before = await sendUntil(tenthOf(10_000));
    const after = await sendUntil(tenthOf(20_000));
    expect((await fetch(url)).status).toBe(200);
    expect(errors).toEqual([]);
    expect([...statuses.keys()].filter((status) => status.startsWith('5'))).toEqual([]);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining(['200', '302', '400', '404', '405']));
    expect((after - before) / 1e6).toBeLessThan(20);
  });
});

function spawnPortal(): Promise<ChildProcess> {
  return spawnFunction(new URL('../cli/testing/run-portal.ts', import.meta.url), 'runPortal', [
    DEMO_SITE,
    // The server of the other tests has the folder itself.
    join(dir, 'own'),
  ]);
}
