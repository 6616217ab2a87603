import type { Migration } from '../migrate.ts';

/** What portals count of their visitors, and what they learn from it. */
export const learning: Migration = {
  name: '0009-learning',
  release: 1,
  statements: [
    // What one portal counted. `seq` is null until it belongs to a window.
    `create table window_parts (
      brand text not null,
      id text not null,
      written_at bigint not null,
      seq bigint,
      counts text not null,
      primary key (brand, id)
    )`,
    'create index window_parts_seq on window_parts (brand, seq)',
    `create table windows (
      brand text not null,
      seq bigint not null,
      at bigint not null,
      primary key (brand, seq)
    )`,
    // What is known after the window `seq`. The checksum is that of the bytes before they were packed.
    `create table snapshots (
      brand text primary key,
      seq bigint not null,
      checksum bigint not null,
      bytes bytea not null
    )`,
  ],
};
