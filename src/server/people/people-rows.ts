import type { Change, Query, Row, Value } from '../store/database.ts';
import type { Role } from '../../contract/roles.ts';
import type { ApiToken, People, Person } from './open-people-store.ts';

type PersonRow = Row & {
  readonly name: string;
  readonly role: Role;
  readonly created_at: number;
  readonly epoch: number;
  readonly password_hash: string | null;
  readonly code_secret: string;
  readonly last_step: number;
  readonly recovery_codes: string;
  readonly prefixes: string;
  readonly invitation_hash: string | null;
  readonly invitation_secret: string;
  readonly invitation_ends_at: number;
};

type TokenRow = Row & {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly hash: string;
  readonly made_by: string;
  readonly created_at: number;
  readonly ends_at: number;
};

const SET_PERSON = `insert into people (brand, name, role, created_at, epoch, password_hash, code_secret, last_step,
    recovery_codes, prefixes, invitation_hash, invitation_secret, invitation_ends_at)
  values ($brand, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (brand, name) do update set role = excluded.role, created_at = excluded.created_at,
    epoch = excluded.epoch, password_hash = excluded.password_hash, code_secret = excluded.code_secret,
    last_step = excluded.last_step, recovery_codes = excluded.recovery_codes, prefixes = excluded.prefixes,
    invitation_hash = excluded.invitation_hash, invitation_secret = excluded.invitation_secret,
    invitation_ends_at = excluded.invitation_ends_at`;
const ADD_TOKEN = `insert into tokens (brand, id, name, role, hash, made_by, created_at, ends_at)
  values ($brand, $1, $2, $3, $4, $5, $6, $7)`;

/** Reads all people and tokens. */
export async function readPeople(query: Query): Promise<People> {
  const people = await query<PersonRow>(
    'select * from people where brand = $brand order by created_at, name',
  );
  const tokens = await query<TokenRow>('select * from tokens where brand = $brand order by created_at, id');
  return { people: people.map(readPerson), tokens: tokens.map(readToken) };
}

/** Writes what differs. A token never changes: it comes and goes. */
export async function writePeople(change: Change, before: People, next: People): Promise<void> {
  const names = new Set(next.people.map(({ name }) => name));
  for (const { name } of before.people)
    if (!names.has(name)) await change('delete from people where brand = $brand and name = $1', [name]);
  for (const person of next.people)
    if (!before.people.includes(person)) await change(SET_PERSON, writePerson(person));
  const ids = new Set(next.tokens.map(({ id }) => id));
  for (const { id } of before.tokens)
    if (!ids.has(id)) await change('delete from tokens where brand = $brand and id = $1', [id]);
  for (const token of next.tokens)
    if (!before.tokens.includes(token)) await change(ADD_TOKEN, writeToken(token));
}

function readPerson(row: PersonRow): Person {
  const { name, role, created_at: createdAt, epoch } = row;
  return {
    name,
    role,
    createdAt,
    epoch,
    signIn:
      row.password_hash === null
        ? undefined
        : {
            passwordHash: row.password_hash,
            secret: row.code_secret,
            lastStep: row.last_step,
            // As they were written below.
            recoveryCodes: JSON.parse(row.recovery_codes) as string[],
            prefixes: JSON.parse(row.prefixes) as string[],
          },
    invitation:
      row.invitation_hash === null
        ? undefined
        : { hash: row.invitation_hash, secret: row.invitation_secret, endsAt: row.invitation_ends_at },
  };
}

function writePerson({ name, role, createdAt, epoch, signIn, invitation }: Person): readonly Value[] {
  return [
    name,
    role,
    createdAt,
    epoch,
    signIn?.passwordHash ?? null,
    signIn?.secret ?? null,
    signIn?.lastStep ?? null,
    signIn ? JSON.stringify(signIn.recoveryCodes) : null,
    signIn ? JSON.stringify(signIn.prefixes) : null,
    invitation?.hash ?? null,
    invitation?.secret ?? null,
    invitation?.endsAt ?? null,
  ];
}

function readToken({ id, name, role, hash, made_by, created_at, ends_at }: TokenRow): ApiToken {
  return { id, name, role, hash, madeBy: made_by, createdAt: created_at, endsAt: ends_at };
}

function writeToken({ id, name, role, hash, madeBy, createdAt, endsAt }: ApiToken): readonly Value[] {
  return [id, name, role, hash, madeBy, createdAt, endsAt];
}
