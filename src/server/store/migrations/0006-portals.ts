import type { Migration } from '../migrate.ts';

/** The portals that serve a site, and what each of them sees of the lines. */
export const portals: Migration = {
  name: '0006-portals',
  release: 1,
  statements: [
    `create table portals (
      brand text not null,
      id text not null,
      report text not null,
      seen_at bigint not null,
      primary key (brand, id)
    )`,
  ],
};
