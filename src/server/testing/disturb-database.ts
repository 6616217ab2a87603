import {
  type Database,
  type News,
  type Query,
  StoreAwayError,
  UncertainCommitError,
} from '../store/database.ts';

export type DisturbedDatabase = Database & {
  /** Calls those who watch something, unless the database is away. */
  readonly tell: (news?: News) => Promise<void>;
};

export type Disturbance = {
  /** The clock of the database. */
  readonly now: () => number;
  /** Whether it does not answer, or does what it is asked to and its answer is lost. */
  readonly fault: () => 'away' | 'answer-lost' | undefined;
};

/** A database that never answers. */
export const AWAY_DATABASE: Database = {
  isShared: false,
  brand: 'main',
  read: refuse,
  change: refuse,
  transaction: refuse,
  erase: refuse,
  shrink: refuse,
  watch: () => () => undefined,
  lead: refuse,
  state: () => ({ isUp: false, since: 0, rewoundAt: undefined }),
  close: async () => undefined,
};

/** The same database with a clock and with faults of the test's own. */
export function disturbDatabase(database: Database, { now, fault }: Disturbance): DisturbedDatabase {
  const watchers = new Set<(news: News) => Promise<void>>();
  const setClock = (sql: string): string => sql.replaceAll('$now', String(now()));
  const withClock =
    (query: Query): Query =>
    (sql, values) =>
      query(setClock(sql), values);

  async function disturb<T>(call: () => Promise<T>, lost: Error): Promise<T> {
    if (fault() === 'away') return refuse();
    const answer = await call();
    if (fault() === 'answer-lost') throw lost;
    return answer;
  }

  return {
    ...database,
    read: (sql, values) => disturb(() => database.read(setClock(sql), values), new StoreAwayError('lost')),
    change: (sql, values) =>
      disturb(() => database.change(setClock(sql), values), new StoreAwayError('lost')),
    transaction: (work) =>
      disturb(
        () =>
          database.transaction((transaction) =>
            work({
              ...transaction,
              query: withClock(transaction.query),
              change: (sql, values) => transaction.change(setClock(sql), values),
            }),
          ),
        new UncertainCommitError('lost'),
      ),
    lead: () => disturb(database.lead, new StoreAwayError('lost')),
    state: () => ({ ...database.state(), isUp: fault() !== 'away' }),
    watch: (_topic, follow) => {
      watchers.add(follow);
      return () => void watchers.delete(follow);
    },
    tell: async (news = { isRewound: false }) => {
      if (fault() !== 'away') await Promise.all([...watchers].map((follow) => follow(news)));
    },
  };
}

async function refuse(): Promise<never> {
  throw new StoreAwayError('the database is away');
}
