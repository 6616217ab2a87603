import type { Migration } from '../migrate.ts';

/** How many visitors asked for lines: by the hour, and the same numbers added up by the day. */
export const calls: Migration = {
  name: '0012-calls',
  release: 1,
  statements: [
    `create table call_hours (
      brand text not null,
      hour bigint not null,
      cell text not null,
      times bigint not null,
      primary key (brand, hour, cell)
    )`,
    `create table call_days (
      brand text not null,
      day bigint not null,
      cell text not null,
      times bigint not null,
      primary key (brand, day, cell)
    )`,
  ],
};
