import { userInfo } from 'node:os';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import * as v from 'valibot';
import { DESK_BODIES } from '../contract/desk/desk.ts';
import { COMMAND_CODES } from '../contract/error-codes.ts';
import { COMMAND_LINE_NAME } from '../contract/people.ts';
import { DeskError, useDisk } from '../server/desk/desk-error.ts';
import { holdDesk } from '../server/desk/hold-desk.ts';
import { requestRollback } from '../server/desk/requests.ts';
import { SiteError } from '../server/site/load-site.ts';
import { parseSite } from '../server/site/parse-site.ts';
import { type Command, CommandError, UsageError, createDataOption } from './command.ts';
import { noteCommand } from './note-command.ts';
import { type KeptVersions, openVersions, parseVersion } from './open-versions.ts';

/** `waypost rollback`: brings a version back. */
export const rollback: Command = {
  help: `Usage: waypost rollback VERSION [--why TEXT] [--data DIR]

Makes an earlier version live again, as a new one. A running portal serves it at once; one that is not running serves
it when it starts. "waypost versions" lists the numbers.

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
    const request = { number, why: why.output, by: findUserName() };
    const kept = await openVersions(values.data);
    const note = { action: 'rolled-back', to: `version ${number}` } as const;
    const uncertain = `as version ${kept.versions.currentNumber() + 1}`;
    const noteUncertain = (): Promise<void> =>
      noteCommand(values.data, { ...note, detail: uncertain, isUncertain: true });
    const answer = await requestRollback(kept.dir, request);
    if (answer !== undefined && 'message' in answer) {
      if (answer.mayBeDone) await noteUncertain();
      const code = COMMAND_CODES.find((known) => known === answer.code) ?? 'unexpected';
      throw new CommandError({ code, message: answer.message });
    }
    const made =
      answer?.version ??
      (await bringBack(kept, request).catch(async (error: unknown) => {
        if (error instanceof DeskError && error.mayBeDone) await noteUncertain();
        throw error;
      }));
    await noteCommand(values.data, { ...note, detail: `as version ${made.number}` });
    console.log(`version ${number} is live again, as version ${made.number}`);
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

/** Does what a portal would do, if none is running. */
async function bringBack(
  { dir, versions }: KeptVersions,
  { number, why, by }: { readonly number: number; readonly why: string; readonly by: string },
): Promise<{ readonly number: number }> {
  const { release } = await holdDesk(dir, async () =>
    JSON.stringify({ code: 'data-in-use', message: 'another command is at work: try again' }),
  );
  try {
    const { files } = await versions.read(number);
    const { site, faults } = parseSite(await versions.readFiles(files));
    if (site === undefined) throw new SiteError(faults);
    const current = await versions.read(versions.currentNumber()).catch(() => undefined);
    if (isDeepStrictEqual(current?.files, files)) {
      throw new CommandError({
        code: 'nothing-changed',
        message: `version ${number} is what is live already`,
      });
    }
    const next = { at: Date.now(), by, from: 'rollback', why: why || `version ${number}`, files } as const;
    return await useDisk(() => versions.commit(next));
  } finally {
    await release();
  }
}
