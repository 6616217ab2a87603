import type { Migration } from '../migrate.ts';

/** Who may use the console, who is signed in, and the secret with which portals sign. */
export const people: Migration = {
  name: '0003-people',
  release: 1,
  statements: [
    // The columns from password_hash to prefixes are null until the invitation was used.
    `create table people (
      brand text not null,
      name text not null,
      role text not null,
      created_at bigint not null,
      epoch bigint not null,
      password_hash text,
      code_secret text,
      last_step bigint,
      recovery_codes text,
      prefixes text,
      invitation_hash text,
      invitation_secret text,
      invitation_ends_at bigint,
      primary key (brand, name)
    )`,
    `create table tokens (
      brand text not null,
      id text not null,
      name text not null,
      role text not null,
      hash text not null,
      made_by text not null,
      created_at bigint not null,
      ends_at bigint not null,
      primary key (brand, id)
    )`,
    // The browser has the key. Who reads this table cannot sign in with it.
    `create table operator_sessions (
      brand text not null,
      key_hash text not null,
      id text not null,
      person text,
      epoch bigint not null,
      started_at bigint not null,
      seen_at bigint not null,
      confirmed_at bigint not null,
      prefix text not null,
      primary key (brand, key_hash)
    )`,
    `create table wrong_sign_ins (
      brand text not null,
      kind text not null,
      key_hash text not null,
      tries integer not null,
      ends_at bigint not null,
      tries_of_day integer not null,
      day_ends_at bigint not null,
      primary key (brand, kind, key_hash)
    )`,
    'create index wrong_sign_ins_ends_at on wrong_sign_ins (brand, kind, ends_at)',
    'create table secrets (brand text primary key, secret text not null)',
  ],
};
