import type { Migration } from '../migrate.ts';

/** Who did what in the console. */
export const audit: Migration = {
  release: 1,
  statements: [
    `create table audit (
      at bigint not null,
      id text not null,
      done_by text not null,
      action text not null,
      done_to text,
      detail text,
      prefix text,
      is_uncertain integer not null,
      primary key (at, id)
    )`,
    'create index audit_done_by on audit (done_by, at)',
    'create index audit_done_to on audit (done_to, at)',
  ],
};
