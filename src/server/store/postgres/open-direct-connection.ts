import type { Client } from 'pg';
import type { Hold, Row, Value } from '../database.ts';

/** A connection of a portal's own, which hears what other portals announce and holds the locks of this one. */
export type DirectConnection = {
  /** Runs a query. If there is no connection, makes one first. */
  readonly ask: (sql: string, values: readonly Value[]) => Promise<readonly Row[]>;
  readonly onNotice: (hear: () => void) => void;
  /** Takes a lock that only one connection of all can hold. Undefined if another one holds it. */
  readonly hold: (key: string) => Promise<Hold | undefined>;
  readonly close: () => Promise<void>;
};

export type DirectConnectionOptions = {
  readonly createClient: () => Client;
  /** What it listens to. */
  readonly channel: string;
};

/**
 * The server ends the session of a portal that is frozen, or whose network is cut, within about 10 s: its locks are free then. A
 * portal that is well asks once a second.
 */
const PREPARE = `
  set idle_session_timeout = '10s';
  set tcp_keepalives_idle = 2;
  set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 3;
`;

export function openDirectConnection({ createClient, channel }: DirectConnectionOptions): DirectConnection {
  let current: Client | undefined;
  let connecting: Promise<Client> | undefined;
  let hear: (() => void) | undefined;

  return {
    ask,
    onNotice: (given) => {
      hear = given;
    },
    hold: async (key) => {
      const [row] = await ask('select pg_try_advisory_lock(hashtextextended($1, 0))::integer as is_held', [
        key,
      ]);
      const client = current;
      return row?.['is_held'] === 1
        ? { isHeld: () => client !== undefined && client === current }
        : undefined;
    },
    close: async () => {
      const client = await connecting?.catch(() => undefined);
      current = undefined;
      connecting = undefined;
      await client?.end();
    },
  };

  async function ask(sql: string, values: readonly Value[]): Promise<readonly Row[]> {
    const client = await connect();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } catch (error) {
      // It may hang. The next call makes a new one.
      forget(client);
      throw error;
    }
  }

  function connect(): Promise<Client> {
    connecting ??= start().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  async function start(): Promise<Client> {
    const client = createClient();
    // An error that nobody listens to would end the process.
    client.on('error', () => forget(client));
    client.on('end', () => forget(client));
    client.on('notification', () => hear?.());
    try {
      await client.connect();
      await client.query(`${PREPARE} listen ${channel}`);
      current = client;
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  function forget(client: Client): void {
    if (current !== client) return;
    current = undefined;
    connecting = undefined;
    client.end().catch(() => undefined);
  }
}
