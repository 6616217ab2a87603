import type { Migration } from '../migrate.ts';

/** The versions of a site, and what people are changing. */
export const desk: Migration = {
  name: '0004-desk',
  release: 1,
  statements: [
    `create table versions (
      brand text not null,
      number integer not null,
      made_at bigint not null,
      made_by text not null,
      made_from text not null,
      why text not null,
      primary key (brand, number)
    )`,
    `create table version_files (
      brand text not null,
      number integer not null,
      path text not null,
      hash text not null,
      primary key (brand, number, path)
    )`,
    'create index version_files_hash on version_files (brand, hash)',
    // The bytes come last, so that SQLite need not pass by them on its way to another column.
    `create table files (
      brand text not null,
      hash text not null,
      size integer not null,
      put_at bigint not null,
      bytes bytea not null,
      primary key (brand, hash)
    )`,
    `create table drafts (
      brand text not null,
      owner text not null,
      owner_since bigint,
      based_on integer not null,
      revision integer not null,
      changed_at bigint not null,
      primary key (brand, owner)
    )`,
    // A file without a hash was removed.
    `create table draft_files (
      brand text not null,
      owner text not null,
      path text not null,
      hash text,
      primary key (brand, owner, path)
    )`,
    'create index draft_files_hash on draft_files (brand, hash)',
    `create table site_folders (
      brand text not null,
      place text not null,
      version integer not null,
      seen text not null,
      primary key (brand, place)
    )`,
    `create table done_requests (
      brand text not null,
      request text not null,
      version integer not null,
      done_at bigint not null,
      primary key (brand, request)
    )`,
  ],
};
