import type { Migration } from '../migrate.ts';

/**
 * What pages recorded. The segments of replays have a table for each day, which is made when it is needed, so that a day can be
 * dropped at once: `recorded_segments_20261118` and so on.
 */
export const recordings: Migration = {
  name: '0008-recordings',
  release: 1,
  statements: [
    // How much there is of each day. Each process adds to a row of its own, so that no two get in each other's way.
    `create table recorded_days (
      brand text not null,
      day text not null,
      writer text not null,
      sessions bigint not null,
      bytes bigint not null,
      changes bigint not null,
      primary key (brand, day, writer)
    )`,
    // A session belongs to the day on which its first message came. What only a record tells is null before the first one.
    `create table recorded_sessions (
      brand text not null,
      id text not null,
      day text not null,
      first_at bigint not null,
      last_at bigint not null,
      messages bigint not null,
      bytes bigint not null,
      segments bigint not null,
      started_at bigint,
      happened_from bigint,
      happened_to bigint,
      device text,
      language text,
      country text,
      network text,
      browser text,
      is_error integer not null,
      is_stuck integer not null,
      is_slow integer not null,
      primary key (brand, id)
    )`,
    // All that the list is filtered by is in the index, so that no filter has to look at the rows.
    `create index recorded_sessions_listed on recorded_sessions
      (brand, started_at, id, device, language, country, network, is_error, is_stuck, is_slow)`,
    'create index recorded_sessions_by_day on recorded_sessions (brand, day, first_at)',
    `create table recorded_views (
      brand text not null,
      session text not null,
      id text not null,
      revision bigint not null,
      segments bigint not null,
      bytes bigint not null,
      is_error integer not null,
      has_failed integer not null,
      has_reached integer not null,
      is_slow integer not null,
      seen text,
      stacks text,
      primary key (brand, session, id)
    )`,
    `create table recorded_errors (
      brand text not null,
      session text not null,
      view_id text not null,
      number integer not null,
      at bigint not null,
      message text not null,
      place text not null,
      primary key (brand, session, view_id, number)
    )`,
    'create index recorded_errors_by_time on recorded_errors (brand, at)',
    // The hosts of the lines that were entered.
    `create table recorded_lines (
      brand text not null,
      host text not null,
      session text not null,
      primary key (brand, host, session)
    )`,
    'create index recorded_lines_by_session on recorded_lines (brand, session)',
    // Their pages may send more. Only hashes are kept of their ids.
    `create table erased_sessions (
      brand text not null,
      hash text not null,
      at bigint not null,
      primary key (brand, hash)
    )`,
  ],
};
