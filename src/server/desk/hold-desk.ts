import { mkdir, rm, stat } from 'node:fs/promises';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { readCode } from '../process/read-code.ts';
import { DeskError } from './desk-error.ts';

/** The right to write to a desk's folder. */
export type DeskHold = { readonly release: () => Promise<void> };

/** Answers a request of another process, such as `waypost rollback`. */
export type AnswerRequest = (request: string) => Promise<string>;

/** The shortest limit of all systems for the path of a socket. */
const MAX_PATH_BYTES = 103;
const MAX_REQUEST_BYTES = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Long enough for another process that found the same abandoned socket to take it away again. */
const RIVAL_WAIT_MS = 100;

/**
 * Makes this process the only one that writes to a desk's folder, until it releases it or ends. It listens on a socket in
 * that folder: the system closes it with the process, however that ends, so that a killed process locks nobody out. A
 * file with the number of the process would not do, because containers all have the same numbers.
 */
export async function holdDesk(dir: string, answer: AnswerRequest): Promise<DeskHold> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = socketPath(dir);
  const server = createServer({ allowHalfOpen: true }, (socket) => serveRequest(socket, answer));
  // It does not keep the process alive.
  server.unref();
  if (!(await tryListen(server, path))) {
    const abandoned = await stat(path).catch(() => undefined);
    if (await isHeld(path)) refuseSecond(dir);
    const found = await stat(path).catch(() => undefined);
    // Another process may have taken it meanwhile.
    if (found?.ino === abandoned?.ino) await rm(path, { force: true });
    if (!(await tryListen(server, path))) refuseSecond(dir);
    const own = await stat(path);
    await wait(RIVAL_WAIT_MS);
    const left = await stat(path).catch(() => undefined);
    if (left?.ino !== own.ino) refuseSecond(dir);
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Asks the process that holds a desk. Undefined if there is none. */
export async function askHolder(dir: string, request: string): Promise<string | undefined> {
  const socket = await connectTo(socketPath(dir));
  if (socket === undefined) return undefined;
  socket.setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy(new Error('the portal does not answer')));
  socket.end(request);
  return readText(socket);
}

function serveRequest(socket: Socket, answer: AnswerRequest): void {
  const chunks: Buffer[] = [];
  let size = 0;
  socket
    // Whoever asked has gone.
    .on('error', () => undefined)
    .setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy())
    .on('data', (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_REQUEST_BYTES) socket.destroy();
    })
    .on('end', () => {
      // One that says nothing only wants to know whether anybody is here.
      if (size === 0) socket.end();
      else void answer(Buffer.concat(chunks).toString()).then((text) => socket.end(text));
    });
}

function tryListen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      if (readCode(error) === 'EADDRINUSE') resolve(false);
      else reject(error instanceof Error ? error : new Error(String(error)));
    };
    server.once('error', fail);
    server.listen(path, () => {
      server.off('error', fail);
      resolve(true);
    });
  });
}

async function isHeld(path: string): Promise<boolean> {
  const socket = await connectTo(path);
  socket?.destroy();
  return socket !== undefined;
}

function connectTo(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => {
      // Nobody listens, or there is no such socket.
      if (['ECONNREFUSED', 'ENOENT'].includes(readCode(error))) resolve(undefined);
      else reject(error);
    });
  });
}

/** From the folder in which the process runs, if that is shorter. */
function socketPath(dir: string): string {
  const path = join(dir, 'desk.sock');
  const fromHere = relative(process.cwd(), path);
  const shorter = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(shorter) <= MAX_PATH_BYTES) return shorter;
  throw new DeskError(
    'data-folder',
    `The path of the data folder is too long: ${path} may have ${MAX_PATH_BYTES} characters. Give it a shorter one.`,
  );
}

function refuseSecond(dir: string): never {
  throw new DeskError(
    'data-in-use',
    `Another portal uses ${dir}: with editing on, each portal needs a data folder of its own.`,
  );
}
