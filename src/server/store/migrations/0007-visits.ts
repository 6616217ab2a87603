import type { Migration } from '../migrate.ts';

/** How often visitors did what: by the hour, and the same numbers added up by the day. Both are numbered since 1970, in UTC. */
export const visits: Migration = {
  name: '0007-visits',
  release: 1,
  statements: [
    `create table visit_hours (
      brand text not null,
      hour bigint not null,
      cell text not null,
      times bigint not null,
      primary key (brand, hour, cell)
    )`,
    `create table visit_days (
      brand text not null,
      day bigint not null,
      cell text not null,
      times bigint not null,
      primary key (brand, day, cell)
    )`,
  ],
};
