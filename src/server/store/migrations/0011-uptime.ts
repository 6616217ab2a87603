import type { Migration } from '../migrate.ts';

const SUMS = `
      served bigint not null,
      left_out bigint not null,
      known bigint not null,
      good bigint not null,
      visits bigint not null,
      got_in bigint not null,
      probed bigint not null,
      probed_up bigint not null`;

/**
 * How often visitors got in: by the hour, and the same added up by the day. Both are numbered since 1970, in UTC. A line is its host,
 * because it may have left the site since then; the site itself is the line with no name.
 */
export const uptime: Migration = {
  name: '0011-uptime',
  release: 1,
  statements: [
    `create table uptime_hours (
      brand text not null,
      hour bigint not null,
      line text not null,${SUMS},
      primary key (brand, hour, line)
    )`,
    `create table uptime_days (
      brand text not null,
      day bigint not null,
      line text not null,${SUMS},
      primary key (brand, day, line)
    )`,
    // How far something was written or told, such as the last minute.
    `create table uptime_marks (
      brand text not null,
      name text not null,
      value bigint not null,
      primary key (brand, name)
    )`,
    // What is left of an incident when it is forgotten.
    `create table past_incidents (
      brand text not null,
      id text not null,
      started_at bigint not null,
      ended_at bigint,
      content text not null,
      primary key (brand, id)
    )`,
    'create index past_incidents_ended on past_incidents (brand, ended_at)',
  ],
};
