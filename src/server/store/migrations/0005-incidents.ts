import type { Migration } from '../migrate.ts';

/** What was wrong, and the messages about it that wait to be sent. */
export const incidents: Migration = {
  name: '0005-incidents',
  release: 1,
  statements: [
    // `changed` grows with every change: a portal reads what is newer than what it knows.
    `create table incidents (
      brand text not null,
      id text not null,
      cause text not null,
      started_at bigint not null,
      ended_at bigint,
      changed bigint not null,
      content text not null,
      primary key (brand, id)
    )`,
    'create index incidents_changed on incidents (brand, changed)',
    // They are sent in the order of `number`.
    `create table messages (
      brand text not null,
      id text not null,
      number bigint not null,
      channel text not null,
      content text not null,
      tries integer not null,
      next_at bigint not null,
      leased_by text,
      leased_until bigint,
      primary key (brand, id)
    )`,
    'create index messages_number on messages (brand, number)',
  ],
};
