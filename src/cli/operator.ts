import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { type AuditEntry, COMMAND_LINE_NAME, NAME_RULE, nameSchema } from '../contract/people.ts';
import { ROLES, type Role } from '../contract/roles.ts';
import { PEOPLE_PATHS } from '../contract/paths.ts';
import { openAuditLog } from '../server/people/open-audit-log.ts';
import { changeAndNote } from '../server/people/change-and-note.ts';
import { type Invitation, invitePerson, resetPerson } from '../server/people/manage-people.ts';
import { PeopleError } from '../server/people/people-error.ts';
import { readPeople } from '../server/people/people-rows.ts';
import { type ChangePeople, type People, updatePeople } from '../server/people/open-people-store.ts';
import type { DatabasePlace } from '../server/store/open-database.ts';
import { checkFolder } from './given-paths.ts';
import { type Command, CommandError, UsageError, createDataOption } from './command.ts';
import { readDatabasePlace } from './read-database-place.ts';
import { useDatabase } from './use-database.ts';

const CONSOLE_URL = 'http://127.0.0.1:8081';

/** `waypost operator`: the people of the console, for the first of them and for emergencies. */
export const operator: Command = {
  help: `Usage: waypost operator add NAME --role ROLE [options]
       waypost operator list [options]
       waypost operator reset NAME [options]

The people who may sign in to the operator's console, as they are in the database. Portals that are running
notice a change within a second.

  add NAME      prints a link with which that person chooses a password and sets up the second factor. It works
                once, for 24 hours
  list          prints everybody with their roles
  reset NAME    takes the password and the second factor of a person away, ends their sessions, and prints a new link

  --role ROLE     viewer looks, editor changes the site, owner also manages people
  --data DIR      the server's own folder                 WAYPOST_DATA   data
  --console URL   where you open the console, for the link               ${CONSOLE_URL}

Set for the command what is set for the portal:
  WAYPOST_DATABASE_URL         the PostgreSQL database that several portals share
  WAYPOST_DATABASE_DIRECT_URL  the same database without the pooler
  WAYPOST_BRAND                which brand of the database

The environment variable beside an option sets it, too; the last column is the default.

Example: waypost operator add li.wei --role owner --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        data: createDataOption(process.env),
        console: { type: 'string', default: CONSOLE_URL },
      },
    });
    await checkFolder('--data', values.data);
    const places = { ...values, database: readDatabasePlace(values.data, process.env) };
    const [action, name, ...rest] = positionals;
    if (rest.length > 0)
      throw new UsageError(`"${rest.join(' ')}" is too much: write a name with spaces in quotes`);
    if (action === 'add') console.log(await addPerson(parseName(name), parseRole(values.role), places));
    else if (action === 'list') console.log(await listPeople(places.database));
    else if (action === 'reset') console.log(await resetByName(parseName(name), places));
    else throw new UsageError('write "add NAME", "list" or "reset NAME"');
    return 0;
  },
};

type Places = { readonly database: DatabasePlace; readonly console: string };

async function addPerson(name: string, role: Role, places: Places): Promise<string> {
  const now = Date.now();
  const note = { action: 'invited', to: name, detail: role } as const;
  const invitation = await changePeople(places.database, note, (people) =>
    invitePerson(people, { name, role, now }),
  );
  return describeLink(`${name} (${role})`, invitation, places);
}

async function resetByName(name: string, places: Places): Promise<string> {
  const now = Date.now();
  const note = { action: 'reset', to: name } as const;
  const invitation = await changePeople(places.database, note, (people) => resetPerson(people, name, now));
  return describeLink(name, invitation, places);
}

/** Makes the first link of a console that has nobody yet, or one for its only owner who has never come. */
export async function inviteFirstOwner(place: DatabasePlace, name: string): Promise<string | undefined> {
  const { people } = await readAll(place);
  if (people.some(({ signIn }) => signIn !== undefined)) return undefined;
  const now = Date.now();
  const isInvited = people.some((person) => person.name === name);
  const { key } = await changePeople(place, { action: 'invited', to: name, detail: 'owner' }, (before) =>
    isInvited ? resetPerson(before, name, now) : invitePerson(before, { name, role: 'owner', now }),
  );
  return `${PEOPLE_PATHS.invitation}?key=${key}`;
}

function changePeople<T>(
  place: DatabasePlace,
  note: Pick<AuditEntry, 'action' | 'to' | 'detail'>,
  change: ChangePeople<T>,
): Promise<T> {
  return useDatabase(place, async (database, log) => {
    const audit = openAuditLog({ database, now: Date.now, log });
    const store = { update: async <R>(each: ChangePeople<R>) => (await updatePeople(database, each)).result };
    try {
      return await changeAndNote(store, change, (_result, outcome) =>
        audit.write({ by: COMMAND_LINE_NAME, ...note, ...outcome }),
      );
    } catch (error) {
      if (!(error instanceof PeopleError)) throw error;
      throw new CommandError({ code: 'people', message: error.message.replace(/\.$/, '') }, { cause: error });
    } finally {
      await audit.flush();
    }
  });
}

function readAll(place: DatabasePlace): Promise<People> {
  return useDatabase(place, ({ read }) => readPeople(read));
}

async function listPeople(place: DatabasePlace): Promise<string> {
  const { people } = await readAll(place);
  if (people.length === 0)
    return `There are no people yet: add one with "waypost operator add NAME --role owner"`;
  const width = Math.max(...people.map(({ name }) => name.length));
  const now = Date.now();
  return people
    .map(({ name, role, signIn, invitation }) => {
      const state = signIn
        ? 'can sign in'
        : (invitation?.endsAt ?? 0) > now
          ? 'invited'
          : 'invitation is over';
      return `${name.padEnd(width)}  ${role.padEnd(6)}  ${state}`;
    })
    .join('\n');
}

function describeLink(who: string, { key }: Invitation, { console: url }: Places): string {
  const base = url.replace(/\/$/, '');
  return `${who} sets up the account with this link. It works once, for 24 hours:\n\n  ${base}${PEOPLE_PATHS.invitation}?key=${key}\n`;
}

function parseName(given: string | undefined): string {
  const { success, output } = v.safeParse(nameSchema, given);
  if (success) return output;
  throw new UsageError(`give ${NAME_RULE}${given === undefined ? '' : `, not "${given}"`}`);
}

function parseRole(given: string | undefined): Role {
  const role = ROLES.find((each) => each === given);
  if (role !== undefined) return role;
  throw new UsageError(
    `--role must be viewer, editor or owner${given === undefined ? '' : `, got "${given}"`}`,
  );
}
