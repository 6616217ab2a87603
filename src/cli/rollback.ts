import { userInfo } from 'node:os';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import * as v from 'valibot';
import { DESK_BODIES } from '../contract/desk/desk.ts';
import { COMMAND_LINE_NAME } from '../contract/people.ts';
import { VersionMovedError } from '../server/desk/desk-error.ts';
import { SiteError } from '../server/site/load-site.ts';
import { parseSite } from '../server/site/parse-site.ts';
import { UncertainCommitError } from '../server/store/database.ts';
import { type Command, CommandError, UsageError, createDataOption } from './command.ts';
import { noteCommand } from './note-command.ts';
import { type KeptVersions, parseVersion, useVersions } from './open-versions.ts';

const TRIES = 5;

/** `waypost rollback`: brings a version back. */
export const rollback: Command = {
  help: `Usage: waypost rollback VERSION [--why TEXT] [--data DIR]

Makes an earlier version live again, as a new one. Portals that run serve it within two seconds; one that is not running
serves it when it starts. "waypost versions" lists the numbers.

  --why TEXT     a line for the list of versions
  --data DIR     the portal's data folder (default: WAYPOST_DATA, or ./data)

Example: waypost rollback 11 --why "line 3 was wrong"`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: createDataOption(process.env), why: { type: 'string', default: '' } },
      allowPositionals: true,
    });
    const [given = '', ...others] = positionals;
    if (others.length > 0) throw new UsageError('give one version such as 11');
    const number = parseVersion(given);
    const why = v.safeParse(DESK_BODIES.restore.entries.why, values.why);
    if (!why.success) throw new UsageError(`--why ${why.issues[0].message}`);
    const kept = { number, why: why.output, by: findUserName() };
    const note = { action: 'rolled-back', to: `version ${number}` } as const;
    const made = await useVersions(values.data, (versions) => bringBack(versions, kept)).catch(
      async (error: unknown) => {
        if (error instanceof UncertainCommitError)
          await noteCommand(values.data, { ...note, isUncertain: true });
        throw error;
      },
    );
    await noteCommand(values.data, { ...note, detail: `as version ${made}` });
    console.log(`version ${number} is live again, as version ${made}`);
    return 0;
  },
};

/** Who runs the command. In a container, that may be a number without a name. */
function findUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return COMMAND_LINE_NAME;
  }
}

/** Makes the version live in the database. Portals that run serve it within two seconds. */
async function bringBack(
  { versions, files: store }: KeptVersions,
  { number, why, by }: { readonly number: number; readonly why: string; readonly by: string },
): Promise<number> {
  const { files } = await versions.read(number);
  const { site, faults } = parseSite(await store.readFiles(files));
  if (site === undefined) throw new SiteError(faults);
  for (let tries = 1; ; tries += 1) {
    const current = await versions.findCurrent();
    if (current === undefined || isDeepStrictEqual(current.files, files)) {
      throw new CommandError({
        code: 'nothing-changed',
        message: `version ${number} has the same files as the live version`,
      });
    }
    const origin = { from: 'rollback', why: why || `version ${number}`, by } as const;
    try {
      const made = await versions.commit({ ...origin, after: current.number, at: Date.now(), files });
      return made.number;
    } catch (error) {
      // Somebody has published at the same moment. The version that was asked for is to be live anyway.
      if (!(error instanceof VersionMovedError) || tries === TRIES) throw error;
    }
  }
}
