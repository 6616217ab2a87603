import { randomBytes, randomInt } from 'node:crypto';
import { DAY_MS } from '../../contract/time-units.ts';
import {
  COMMAND_LINE_NAME,
  INVITATION_LIFE_MS,
  LISTENER_TOKEN_NAME,
  LOOPBACK_NAME,
  UNKNOWN_NAME,
} from '../../contract/people.ts';
import type { Role } from '../../contract/roles.ts';
import { type PeopleCode, PeopleError } from './people-error.ts';
import type { ApiToken, PeopleChange, People, Person } from './open-people-store.ts';
import { createSecret, hashKey } from './second-factor.ts';

// What an owner, or `waypost operator`, may do to people and tokens. Each function returns the changed people, and changes nothing itself.

/** What a name may do now. The epoch changes when the sessions of a person end. For a token it is the token's id. */
export type Standing = { readonly role: Role; readonly epoch: string };

/** Only the person who gets the link knows its key. */
export type Invitation = { readonly key: string; readonly endsAt: number };

const KEY_BYTES = 32;
const TOKEN_PREFIX = 'waypost_';
const ID_BYTES = 9;
/** The audit log uses these names if no person has acted. */
const RESERVED_NAMES = [LISTENER_TOKEN_NAME, LOOPBACK_NAME, COMMAND_LINE_NAME, UNKNOWN_NAME];
/** The epoch starts at a random number. So the sessions of a removed person are not valid for a new person of the same name. */
const MAX_EPOCH = 2 ** 47;

/** Adds a person, who chooses a password with the invitation. */
export function invitePerson(
  people: People,
  { name, role, now }: { readonly name: string; readonly role: Role; readonly now: number },
): PeopleChange<Invitation> {
  refuseTakenName(people, name, now);
  const { invitation, result } = createInvitation(now);
  const person: Person = { name, role, createdAt: now, epoch: randomInt(MAX_EPOCH), invitation };
  return { next: { ...people, people: [...people.people, person] }, result };
}

/**
 * Takes a person's password and second factor away, ends the sessions, and invites the person again. The tokens that the
 * person made go, too: somebody else may have made them with a stolen session.
 */
export function resetPerson(people: People, name: string, now: number): PeopleChange<Invitation> {
  const { invitation, result } = createInvitation(now);
  const tokens = dropTokensOf(requirePerson(people, name).name, people.tokens);
  const next = changePerson({ ...people, tokens }, name, (person) => ({
    ...person,
    epoch: person.epoch + 1,
    signIn: undefined,
    invitation,
  }));
  return { next, result };
}

/** Gives a person another role. A person who is no longer an owner leaves no token behind. */
export function changeRole(people: People, name: string, role: Role): People {
  if (role !== 'owner') refuseLastOwner(people, name);
  const person = requirePerson(people, name);
  const tokens = role === 'owner' ? people.tokens : dropTokensOf(person.name, people.tokens);
  return changePerson({ ...people, tokens }, name, (each) => ({ ...each, role, epoch: each.epoch + 1 }));
}

/** Removes a person, and the tokens that the person made and therefore knows. */
export function removePerson(people: People, name: string): People {
  refuseLastOwner(people, name);
  const person = requirePerson(people, name);
  return {
    ...people,
    people: people.people.filter((each) => each !== person),
    tokens: dropTokensOf(person.name, people.tokens),
  };
}

/** Ends all sessions of a person. */
export function endSessionsOf(people: People, name: string): People {
  return changePerson(people, name, (person) => ({ ...person, epoch: person.epoch + 1 }));
}

export function makeToken(
  people: People,
  token: Pick<ApiToken, 'name' | 'role' | 'madeBy'> & { readonly days: number; readonly now: number },
): PeopleChange<{ readonly token: string; readonly endsAt: number }> {
  const { name, role, madeBy, days, now } = token;
  refuseTakenName(people, name, now);
  const text = `${TOKEN_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
  const id = randomBytes(ID_BYTES).toString('base64url');
  const endsAt = now + days * DAY_MS;
  const added = { id, name, role, hash: hashKey(text), madeBy, createdAt: now, endsAt };
  const open = people.tokens.filter((each) => each.endsAt > now);
  return { next: { ...people, tokens: [...open, added] }, result: { token: text, endsAt } };
}

/** Takes a token back, and those that were made with it. */
export function revokeToken(people: People, id: string): PeopleChange<ApiToken> {
  const result =
    people.tokens.find((token) => token.id === id) ??
    refuse('unknown-token', 'There is no such token: it may have been revoked.');
  const others = people.tokens.filter((token) => token !== result);
  return { next: { ...people, tokens: dropTokensOf(result.name, others) }, result };
}

/** Leaves out the tokens that somebody made, and the tokens that were made with these. */
function dropTokensOf(name: string, tokens: readonly ApiToken[]): ApiToken[] {
  const dropped = tokens.filter(({ madeBy }) => madeBy === name);
  const kept = tokens.filter(({ madeBy }) => madeBy !== name);
  return dropped.reduce((left, token) => dropTokensOf(token.name, left), kept);
}

/** Finds a person by name. Capital letters make no difference. */
export function findPerson({ people }: People, name: string): Person | undefined {
  return people.find((person) => isSameName(person.name, name));
}

/** The open invitation of a link. */
export function findInvitation({ people }: People, key: string, now: number): Person | undefined {
  const hash = hashKey(key);
  return people.find(({ invitation }) => invitation?.hash === hash && invitation.endsAt > now);
}

export function findToken({ tokens }: People, text: string, now: number): ApiToken | undefined {
  const hash = hashKey(text);
  return tokens.find((token) => token.hash === hash && token.endsAt > now);
}

/** What the person, or the token, of this name may do now. Undefined if neither exists. */
export function findStanding(people: People, name: string, now: number): Standing | undefined {
  // The listener's token changes only with a restart, so its epoch is fixed.
  if (name === LISTENER_TOKEN_NAME) return { role: 'owner', epoch: 'listener' };
  const person = findPerson(people, name);
  if (person) return { role: person.role, epoch: String(person.epoch) };
  const token = people.tokens.find((each) => each.name === name && each.endsAt > now);
  return token && { role: token.role, epoch: token.id };
}

/** Whether anybody can sign in with a password. Until then the console asks for none. */
export function hasAccounts({ people }: People): boolean {
  return people.some(({ signIn }) => signIn !== undefined);
}

/** Whether somebody has a link with which to set up an account. */
export function hasOpenInvitation({ people }: People, now: number): boolean {
  return people.some(({ invitation }) => invitation !== undefined && invitation.endsAt > now);
}

export function changePerson(people: People, name: string, change: (person: Person) => Person): People {
  const person = requirePerson(people, name);
  return { ...people, people: people.people.map((each) => (each === person ? change(each) : each)) };
}

/** Refuses a change after which nobody could manage people. */
export function refuseLastOwner(people: People, name: string): void {
  const owners = people.people.filter(({ role, signIn }) => role === 'owner' && signIn !== undefined);
  const person = requirePerson(people, name);
  if (owners.length > 1 || !owners.includes(person)) return;
  refuse('last-owner', `"${person.name}" is the last owner: make somebody else an owner first.`);
}

/** One name means one person or one token, because the audit log has nothing but names. */
function refuseTakenName(people: People, name: string, now: number): void {
  const tokens = people.tokens.filter(({ endsAt }) => endsAt > now);
  const names = [...RESERVED_NAMES, ...[...people.people, ...tokens].map((each) => each.name)];
  if (!names.some((each) => isSameName(each, name))) return;
  refuse('name-taken', `There is already somebody, or a token, with the name "${name}".`);
}

function requirePerson(people: People, name: string): Person {
  return findPerson(people, name) ?? refuse('unknown-person', `There is no person with the name "${name}".`);
}

function isSameName(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

function createInvitation(now: number): {
  invitation: NonNullable<Person['invitation']>;
  result: Invitation;
} {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const endsAt = now + INVITATION_LIFE_MS;
  return { invitation: { hash: hashKey(key), secret: createSecret(), endsAt }, result: { key, endsAt } };
}

function refuse(code: PeopleCode, message: string): never {
  throw new PeopleError(code, message);
}
