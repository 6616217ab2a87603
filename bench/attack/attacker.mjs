// One attacker in a process of its own: node attacker.mjs ATTACK PORT. It goes on until it is ended, from an address that
// no portal trusts. Plain JavaScript: nothing is compiled for it.
import { connect } from 'node:net';

const LOCAL_ADDRESS = '127.0.0.2';
const HEAD = 'Host: localhost\r\n';

const ATTACKS = {
  /** Headers as long as they may be, made to be slow to read. */
  'long headers': (port) => {
    const long = ['Accept-Language', 'Cookie', 'Accept-Encoding', 'X-Forwarded-For'].map(
      (name) => `GET / HTTP/1.1\r\n${HEAD}${name}: x${' '.repeat(15_000)}y\r\n\r\n`,
    );
    repeat(50, (count) => send(port, long[count % long.length]));
  },
  /** Thousands of requests on each connection, and no answer is taken. */
  'pipelined requests, answers unread': (port) => {
    const requests = `GET / HTTP/1.1\r\n${HEAD}\r\n`.repeat(2_400);
    hold(50, () => open(port, requests).pause());
  },
  /** Connections of five addresses, each with as many requests as it may have, and no answer is taken. */
  'five addresses, answers unread': (port) => {
    const requests = `GET / HTTP/1.1\r\n${HEAD}\r\n`.repeat(16);
    hold(1_700, (index) => open(port, requests, `127.0.0.${2 + (index % 5)}`).pause());
  },
  /** Ten addresses, each with as many requests as it may have connections, whose bodies never come. */
  'ten addresses, slow bodies': (port) => {
    const head = `POST /api/measurements HTTP/1.1\r\n${HEAD}Content-Length: 2000\r\n\r\n{`;
    hold(4_000, (index) => open(port, head, `127.0.0.${2 + (index % 10)}`));
  },
  /** Thousands of requests on each connection, which Node would answer by itself. */
  'pipelined requests that expect something unknown': (port) => {
    const requests = `GET / HTTP/1.1\r\n${HEAD}Expect: x\r\n\r\n`.repeat(2_400);
    hold(100, () => open(port, requests).pause());
  },
  /** Connections that never finish their headers. */
  'half-open headers': (port) => hold(1_700, () => open(port, `GET / HTTP/1.1\r\n${HEAD}`)),
  /** Connections that say nothing at all. */
  'silent connections': (port) => hold(1_700, () => open(port, '')),
  /** The same, of ten addresses. */
  'silent connections of ten addresses': (port) =>
    hold(1_700, (index) => open(port, '', `127.0.0.${2 + (index % 10)}`)),
  /** Far more calls than one address may make. */
  'one address asks 1,000 times a second': (port) => {
    repeat(100, () => send(port, `GET /api/hostnames HTTP/1.1\r\n${HEAD}\r\n`.repeat(10)));
  },
  /** Bodies that are larger than any report, and never end. */
  'endless bodies': (port) => {
    const head = `POST /api/measurements HTTP/1.1\r\n${HEAD}Content-Length: 900000000\r\n\r\n`;
    hold(100, () => {
      const socket = open(port, head);
      const dripping = setInterval(() => socket.write('x'.repeat(1_000)), 100);
      socket.on('close', () => clearInterval(dripping));
      return socket;
    });
  },
  /** Visitors of 20,000 networks, 400 a second, behind the proxy that the portal trusts, who all say that every line is fast. */
  'reports of 20,000 made-up networks': (port) => {
    const networks = Array.from(
      { length: 20_000 },
      (_, network) => `${20 + (network >> 8)}.${network & 255}`,
    );
    repeat(400, (count) => {
      const network = networks[count - 1];
      if (network !== undefined) void report(port, `${network}.1.1`);
    });
  },
  /** Asks for several event streams of the console on each connection, and then closes it. */
  'event streams': (port) => {
    const requests = `GET /api/console/events HTTP/1.1\r\n${HEAD}\r\n`.repeat(150);
    repeat(2, () => {
      const socket = open(port, requests);
      setTimeout(() => socket.destroy(), 250);
    });
  },
};

const [name, port] = process.argv.slice(2);
ATTACKS[name](Number(port));
// Sockets that are not read do not keep a process alive.
setInterval(() => undefined, 1_000);

function open(port, text, localAddress = LOCAL_ADDRESS) {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  // A portal may close the connection of its attacker: this is no error.
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  return socket;
}

/** Sends requests on a connection of their own, and takes what is answered. */
function send(port, text) {
  const socket = open(port, text);
  socket.resume();
  setTimeout(() => socket.destroy(), 5_000);
}

/** Asks for lines, and reports the best time of each. */
async function report(port, address) {
  const url = `http://127.0.0.1:${port}/api`;
  const headers = { 'X-Forwarded-For': address };
  try {
    const answer = await fetch(`${url}/hostnames`, { headers });
    const results = (await answer.json()).map((_, index) => ({ index, outcome: 'valid', time: 20 }));
    const ticket = answer.headers.get('waypost-ticket');
    const body = JSON.stringify({ ticket, results, entered: 0 });
    await fetch(`${url}/measurements`, { method: 'POST', headers, body });
  } catch {
    // A portal may close the connection of its attacker: this is no error.
  }
}

function repeat(perSecond, act) {
  let count = 0;
  setInterval(() => act((count += 1)), 1_000 / perSecond);
}

/** Keeps a number of connections open: one that was closed is opened again a second later. */
function hold(count, openOne) {
  for (let index = 0; index < count; index += 1) keep(index);
  function keep(index) {
    openOne(index).on('close', () => setTimeout(keep, 1_000, index));
  }
}
