import type { Migration } from '../migrate.ts';

/**
 * How many visitors came by which link, and what became of them: by the hour, and the same numbers added up by the day. Apart from the
 * other numbers of visits, because a site may have hundreds of links.
 */
export const campaigns: Migration = {
  name: '0010-campaigns',
  release: 1,
  statements: [
    `create table campaign_hours (
      brand text not null,
      hour bigint not null,
      cell text not null,
      times bigint not null,
      primary key (brand, hour, cell)
    )`,
    `create table campaign_days (
      brand text not null,
      day bigint not null,
      cell text not null,
      times bigint not null,
      primary key (brand, day, cell)
    )`,
  ],
};
