import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { isOurLine } from '../src/engine/line/is-our-line.ts';
import { judgeReply } from '../src/engine/line/judge-reply.ts';
import { requestLine } from '../src/line/request-line.ts';
import { expect, test } from './support/test.ts';

const MARKER = 'waypost-test';
const IDENTITY = { marker: MARKER, markerHeader: 'server' };
const ALLOW = 'Access-Control-Allow-Origin: *';
const EXPOSE = 'Access-Control-Expose-Headers: Server';
const MARK = `Server: ${MARKER}`;

/** What a line may send, byte for byte. `ORIGIN` stands for the origin of the page, `PORT` for the line's port. */
const ANSWERS: Readonly<Record<string, string>> = {
  'as it must': answer('200 OK', ALLOW, EXPOSE, MARK),
  'another good status': answer('204 No Content', ALLOW, EXPOSE, MARK),
  'not found': answer('404 Not Found', ALLOW, EXPOSE, MARK),
  'not modified': answer('304 Not Modified', ALLOW, EXPOSE, MARK),
  'an error': answer('500 Oh', ALLOW, EXPOSE, MARK),
  'a redirect': answer('302 Found', ALLOW, EXPOSE, MARK, 'Location: http://answer0.localhost:PORT/'),
  'a redirect that no page may read': answer('301 Moved', 'Location: http://answer0.localhost:PORT/'),
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'hints before the answer': `HTTP/1.1 103 Early Hints\r\n\r\n${answer('200 OK', ALLOW, EXPOSE, MARK)}`,
  'another marker': answer('200 OK', ALLOW, EXPOSE, 'Server: nginx'),
  'no marker': answer('200 OK', ALLOW, EXPOSE),
  'the marker twice': answer('200 OK', ALLOW, EXPOSE, MARK, MARK),
  'the marker in capitals': answer('200 OK', ALLOW, EXPOSE, MARK.toUpperCase()),
  'the marker between spaces': answer('200 OK', ALLOW, EXPOSE, `Server:   ${MARKER}  `),
  'a page of somebody else': answer('200 OK', 'Content-Type: text/html', 'X-Content-Type-Options: nosniff'),
  'no permission': answer('200 OK', EXPOSE, MARK),
  'permission twice': answer('200 OK', ALLOW, ALLOW, EXPOSE, MARK),
  'permission for this page': answer('200 OK', 'Access-Control-Allow-Origin: ORIGIN', EXPOSE, MARK),
  'permission for another': answer('200 OK', 'Access-Control-Allow-Origin: http://a.example', EXPOSE, MARK),
  'a marker that is not shown': answer('200 OK', ALLOW, MARK),
  'all headers shown': answer('200 OK', ALLOW, 'Access-Control-Expose-Headers: *', MARK),
  'shown in a list': answer('200 OK', ALLOW, 'Access-Control-Expose-Headers: date,  SERVER', MARK),
  'shown in two lines': answer('200 OK', ALLOW, 'Access-Control-Expose-Headers: date', EXPOSE, MARK),
  'another one shown': answer('200 OK', ALLOW, 'Access-Control-Expose-Headers: Date', MARK),
  'a list that is none': answer('200 OK', ALLOW, 'Access-Control-Expose-Headers: Server, a b', MARK),
  'a head of 100 KB': answer('200 OK', ALLOW, EXPOSE, `X: ${'y'.repeat(100_000)}`, MARK),
  nothing: '',
  'half a head': 'HTTP/1.1 200 OK\r\nServer: way',
};

/** Browsers differ in whether they take these for an answer. The server does not. */
const TAKEN_BY_SOME_BROWSERS = ['another protocol', 'half a head'];

/** Here the server sees that somebody else answers, and a page sees no answer. `docs/security.md` says so. */
const ONLY_SEEN_BY_THE_SERVER: Readonly<Record<string, string>> = {
  'a redirect without end': answer('302 Found', ALLOW, EXPOSE, MARK, 'Location: /speed.php?again'),
  'a redirect to nowhere': answer('302 Found', 'Location: http://nothing.localhost:1/'),
  'nothing for other sites': answer('200 OK', 'Cross-Origin-Resource-Policy: same-origin'),
};

test('the server says of every answer what a page says of it, except where a page cannot see that somebody answers', async ({
  page,
  expectedErrors,
}) => {
  // Browsers report each request that fails.
  expectedErrors.push(/.*/);
  const answers = { ...ANSWERS, ...ONLY_SEEN_BY_THE_SERVER };
  const names = Object.keys(answers);
  const portal = createHttpServer((_, response) => response.end('<!doctype html><title>page</title>'));
  const origin = `http://localhost:${await listen(portal)}`;
  const line = createServer((socket) => answerFrom(socket, Object.values(answers), { origin, port }));
  const port = await listen(line);
  await page.goto(origin);
  const seen: Record<string, unknown> = {};
  const judged: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const address = `http://answer${index}.localhost:${port}`;
    const response = await page.evaluate(async (url) => {
      const plain = { cache: 'no-store', credentials: 'omit' } as const;
      try {
        const { ok, headers } = await fetch(url, { ...plain, redirect: 'error' });
        return { ok, server: headers.get('server') };
      } catch {
        const answered = await fetch(url, { ...plain, mode: 'no-cors' }).catch(() => undefined);
        return answered && { ok: false, server: null };
      }
    }, `${address}/speed.php`);
    const isLine =
      response && isOurLine({ ok: response.ok, headers: { get: () => response.server } }, IDENTITY);
    seen[name] = response === undefined ? 'unreachable' : isLine ? 'valid' : 'wrong-server';
    const reply = await requestLine(address, { now: () => performance.now(), origin });
    judged[name] = judgeReply(address, reply, { ...IDENTITY, portal: origin }).cause ?? 'valid';
  }
  portal.close();
  line.close();
  for (const name of TAKEN_BY_SOME_BROWSERS) {
    expect(judged[name]).toBe('unreachable');
    delete judged[name];
    delete seen[name];
  }
  const known = Object.keys(ONLY_SEEN_BY_THE_SERVER);
  expect(Object.keys(judged).filter((name) => judged[name] !== seen[name])).toEqual(known);
  for (const name of known) expect([judged[name], seen[name]]).toEqual(['wrong-server', 'unreachable']);
  // That both call everything valid, or nothing, would be no agreement worth having.
  expect(new Set(Object.values(seen))).toEqual(new Set(['valid', 'wrong-server', 'unreachable']));
});

function answer(status: string, ...headers: readonly string[]): string {
  return `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}

/** Which answer is asked for, the name of the host says. */
function answerFrom(
  socket: Socket,
  answers: readonly string[],
  { origin, port }: { readonly origin: string; readonly port: number },
): void {
  socket.on('error', () => undefined);
  socket.once('data', (head) => {
    const index = /answer(\d+)\.localhost/.exec(head.toString())?.[1] ?? '';
    socket.end((answers[Number(index)] ?? '').replace('ORIGIN', origin).replace('PORT', String(port)));
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // It listens on a port, not on a pipe.
}
