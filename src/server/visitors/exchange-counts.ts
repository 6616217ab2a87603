import type { Redis } from '../redis/open-redis.ts';
import type { VisitLedger } from './visit-ledger.ts';

/** Makes the ledgers of all replicas the same, through Redis. */
export type CountExchange = {
  /** Notes a count that Redis does not have yet. */
  readonly note: (hour: number, source: string, cell: string) => void;
  /** Compares an hour with Redis anew, because the ledger knows more of it. */
  readonly recheck: (hour: number) => void;
  /** Sends what Redis does not have, and takes over what the ledger does not have. Rejects while Redis is away. */
  readonly exchange: (currentHour: number) => Promise<void>;
};

export type CountExchangeOptions = {
  readonly redis: Redis;
  /** What all keys start with. It holds a hash tag, so that a cluster keeps them together. */
  readonly prefix: string;
  /** Draws a name that nobody else has. */
  readonly drawName: () => string;
  readonly ledger: VisitLedger;
};

/** A replica that was away for less than this gets all that it missed. */
export const SHARED_HOURS = 72;
const KEPT_MS = SHARED_HOURS * 3_600_000;
/** A script runs alone, so one batch is kept to some milliseconds. */
const MAX_BATCH_CELLS = 2_000;
/** The field that differs after every change of an hour. The others are a process and a cell, with a space between. */
const MARK = 'mark';

/**
 * Keeps the larger one of two counts, so that counts may come late, twice, or in any order.
 *
 * KEYS: the hour
 * ARGV: the new mark, ms that it is kept, and then each field with its count
 */
const MERGE_SCRIPT = `
local hasChanged = false
for at = 3, #ARGV, 2 do
  local known = tonumber(redis.call('HGET', KEYS[1], ARGV[at]) or 0) or 0
  if tonumber(ARGV[at + 1]) > known then
    redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
    hasChanged = true
  end
end
if hasChanged then
  redis.call('HSET', KEYS[1], '${MARK}', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
`;

export function createCountExchange({
  redis,
  prefix,
  drawName,
  ledger,
}: CountExchangeOptions): CountExchange {
  const unsent = new Map<number, Set<string>>();
  /** The mark of each hour when it was last compared. */
  const seen = new Map<number, string>();

  return {
    note: (hour, source, cell) => noteField(hour, writeField(source, cell)),
    recheck: (hour) => void seen.delete(hour),
    exchange: async (currentHour) => {
      const oldest = currentHour - SHARED_HOURS + 1;
      for (const hour of seen.keys()) if (hour < oldest) seen.delete(hour);
      for (const hour of unsent.keys()) if (hour < oldest) unsent.delete(hour);
      // The clock of another replica may be a little ahead.
      const hours = Array.from({ length: SHARED_HOURS + 1 }, (_, index) => oldest + index);
      const marks = await redis.ask((client) =>
        Promise.all(hours.map((hour) => client.hGet(keyOf(hour), MARK))),
      );
      for (const [index, hour] of hours.entries()) await compare(hour, marks[index] ?? undefined);
      // What is counted meanwhile is sent the next time.
      const changed = [...unsent.keys()];
      for (const hour of changed) await send(hour);
    },
  };

  /** Compares an hour with Redis, unless neither has changed since. An hour without a mark was never sent, or was lost. */
  async function compare(hour: number, mark: string | undefined): Promise<void> {
    if (mark !== undefined && mark === seen.get(hour)) return;
    if (mark === undefined && ledger.sources(hour).size === 0) return;
    const stored = mark === undefined ? {} : await redis.ask((client) => client.hGetAll(keyOf(hour)));
    for (const [source, cells] of ledger.sources(hour)) {
      for (const [cell, count] of cells) {
        const field = writeField(source, cell);
        if (count > (Number(stored[field]) || 0)) noteField(hour, field);
      }
    }
    for (const [field, count] of Object.entries(stored)) {
      const [source, cell] = parseField(field);
      ledger.merge({ hour, source, cell, count: Number(count) });
    }
    if (mark !== undefined) seen.set(hour, mark);
  }

  async function send(hour: number): Promise<void> {
    const fields = [...(unsent.get(hour) ?? [])];
    unsent.delete(hour);
    try {
      for (let start = 0; start < fields.length; start += MAX_BATCH_CELLS) {
        const values = fields.slice(start, start + MAX_BATCH_CELLS).flatMap((field) => {
          const [source, cell] = parseField(field);
          return [field, String(ledger.sources(hour).get(source)?.get(cell) ?? 0)];
        });
        await redis.ask((client) =>
          client.eval(MERGE_SCRIPT, {
            keys: [keyOf(hour)],
            arguments: [drawName(), String(KEPT_MS), ...values],
          }),
        );
      }
    } catch (error) {
      // Whether Redis has some of them already makes no difference.
      for (const field of fields) noteField(hour, field);
      throw error;
    }
  }

  function noteField(hour: number, field: string): void {
    let fields = unsent.get(hour);
    if (fields === undefined) unsent.set(hour, (fields = new Set()));
    fields.add(field);
  }

  function keyOf(hour: number): string {
    return `${prefix}:visits:${hour}`;
  }
}

function writeField(source: string, cell: string): string {
  return `${source} ${cell}`;
}

function parseField(field: string): [source: string, cell: string] {
  const end = field.indexOf(' ');
  return [field.slice(0, Math.max(0, end)), field.slice(end + 1)];
}
