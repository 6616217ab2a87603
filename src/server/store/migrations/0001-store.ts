import type { Migration } from '../migrate.ts';

/** What the store itself needs: what was announced, who leads, and which batches were written. */
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
    // The last batch of each process that counts, so that none counts twice.
    `create table batches (
      brand text not null,
      writer text not null,
      number bigint not null,
      at bigint not null,
      primary key (brand, writer)
    )`,
  ],
};
