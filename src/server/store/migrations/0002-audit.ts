import type { Migration } from '../migrate.ts';

/** Who did what in the console. */
export const audit: Migration = {
  name: '0002-audit',
  release: 1,
  statements: [
    `create table audit (
      brand text not null,
      at bigint not null,
      id text not null,
      done_by text not null,
      action text not null,
      done_to text,
      detail text,
      prefix text,
      is_uncertain integer not null,
      primary key (brand, at, id)
    )`,
    'create index audit_done_by on audit (brand, done_by, at)',
    'create index audit_done_to on audit (brand, done_to, at)',
  ],
};
