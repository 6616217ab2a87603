import type { Migration } from '../migrate.ts';

/** What the console showed at some times, so that it can show them again. */
export const moments: Migration = {
  name: '0013-moments',
  release: 1,
  statements: [
    // The bytes come last, so that SQLite need not pass by them on its way to another column.
    `create table moments (
      brand text not null,
      at bigint not null,
      size integer not null,
      changes text not null,
      minutes bytea not null,
      answers bytea not null,
      primary key (brand, at)
    )`,
  ],
};
