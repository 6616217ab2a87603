import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { spawnFunction } from '../testing/spawn-function.ts';
import { startPostgres } from '../testing/start-postgres.ts';

const KILLS = tenthOf(200);
const DATABASE_KILLS = tenthOf(50);
const TELL_FOR_EVER = new URL('../testing/tell-for-ever.ts', import.meta.url);

/** A message that has arrived, and is not answered yet. */
type Arrival = { readonly id: string; readonly line: string; readonly response: ServerResponse };

let dataDir: string;
const arrived: Pick<Arrival, 'id' | 'line'>[] = [];
let onArrival: (arrival: Arrival) => void = ({ response }) => void response.end();
const receiver = createServer((request, response) => void receive(request, response));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, subject: line } = (await json(request)) as { id: string; subject: string };
  arrived.push({ id, line });
  onArrival({ id, line, response });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-telling-'));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  arrived.length = 0;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a process that has this number of lines to tell of. It is killed at an arrival, or when nothing waits any more. */
async function tell(
  lines: number,
  shouldDie: (arrival: Arrival) => boolean,
  databaseUrl?: string,
): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const place = [dataDir, `http://127.0.0.1:${port}`];
  const child = await spawnFunction(TELL_FOR_EVER, 'tellForEver', [...place, lines, databaseUrl ?? '']);
  const exited = once(child, 'exit');
  onArrival = (arrival) => {
    if (shouldDie(arrival)) child.kill('SIGKILL');
    arrival.response.end();
  };
  child.once('message', () => child.kill('SIGKILL'));
  await exited;
}

test(
  `a process that is killed while it sends loses no message, and repeats one only with its id: ${KILLS} kills`,
  { timeout: 20_000 + KILLS * 5_000 },
  async () => {
    const random = createRandom(5);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      let arrivalsLeft = 1 + Math.floor(random() * 3);
      const isAnswered = random() < 0.5;
      await tell(kill, ({ response }) => {
        arrivalsLeft -= 1;
        // Killed with an answer on its way, or without one.
        if (arrivalsLeft === 0 && isAnswered) response.end();
        return arrivalsLeft === 0;
      });
    }
    await tell(KILLS, () => false);
    expect(countIds()).toEqual(oneOfEach(KILLS));
    // Otherwise nobody was killed between sending and noting.
    expect(arrived.length).toBeGreaterThan(KILLS);
  },
);

test(
  `a database that is killed while a portal sends costs no message, and a message is repeated only with its id: ${DATABASE_KILLS} kills`,
  { timeout: 60_000 + DATABASE_KILLS * 20_000 },
  async () => {
    const postgres = await startPostgres();
    try {
      const lines = DATABASE_KILLS * 10;
      let killing = Promise.resolve();
      const killAt = (arrival: Arrival): boolean => {
        // In the middle of what the portal writes before and after it sends.
        if (arrived.length % 10 === 5 && arrived.length < lines)
          killing = killing.then(postgres.kill).then(postgres.start);
        arrival.response.end();
        return false;
      };
      await tell(lines, killAt, await postgres.createDatabase());
      await killing;
      expect(countIds()).toEqual(oneOfEach(lines));
    } finally {
      await postgres.close();
    }
  },
);

/** How many ids each line was told of under. */
function countIds(): Readonly<Record<string, number>> {
  const lines = [...new Set(arrived.map(({ line }) => line))];
  const idsOf = (name: string) => new Set(arrived.filter(({ line }) => line === name).map(({ id }) => id));
  return Object.fromEntries(lines.map((line) => [line, idsOf(line).size]));
}

function oneOfEach(lines: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: lines }, (_, line) => [`line${line}`, 1]));
}
