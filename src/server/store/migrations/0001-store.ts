import type { Migration } from '../migrate.ts';

/** What the store itself needs: what was announced, and who leads. */
export const store: Migration = {
  name: '0001-store',
  release: 1,
  statements: [
    `create table topics (
      brand text not null,
      topic text not null,
      number bigint not null,
      tag text not null,
      primary key (brand, topic)
    )`,
    'create table terms (brand text primary key, term bigint not null)',
  ],
};
