import { parseArgs } from 'node:util';
import type { DeskVersion } from '../contract/desk/desk.ts';
import { describeChange } from '../contract/desk/site-change.ts';
import { describeDifference } from '../server/desk/describe-difference.ts';
import { type Command, UsageError, createDataOption, writeMinute } from './command.ts';
import { type KeptVersions, parseVersion, useVersions } from './open-versions.ts';

const ORIGINS: Readonly<Record<DeskVersion['from'], string>> = {
  start: 'the first start',
  console: 'the console',
  folder: 'the site folder',
  rollback: 'brought back',
};

/** `waypost versions`: lists what was live. */
export const versions: Command = {
  help: `Usage: waypost versions [FROM TO] [--data DIR]

Lists the versions that a portal with editing on has served, the newest first: when, by whom, from where and why. With
two numbers, lists what differs between these two versions.

  --data DIR     the portal's data folder (default: WAYPOST_DATA, or ./data)

Example: waypost versions 11 12`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: createDataOption(process.env) },
      allowPositionals: true,
    });
    if (positionals.length !== 0 && positionals.length !== 2) {
      throw new UsageError('give two versions such as 11 12, or none');
    }
    const [from, to] = positionals.map(parseVersion);
    await useVersions(values.data, async (kept) => {
      if (from !== undefined && to !== undefined) console.log(await describeVersions(kept, from, to));
      else
        for (const version of await kept.versions.list()) console.log(describeVersion(version, kept.current));
    });
    return 0;
  },
};

function describeVersion({ number, at, by, from, why }: DeskVersion, current: number): string {
  const who = [by, ORIGINS[from]].filter(Boolean).join(', ');
  return `${number === current ? '*' : ' '} ${String(number).padStart(5)}  ${writeMinute(at)}  ${who}${why && `: ${why}`}`;
}

async function describeVersions(
  { versions: store, files }: KeptVersions,
  from: number,
  to: number,
): Promise<string> {
  const [before, after] = [await store.read(from), await store.read(to)];
  const changes = describeDifference(
    await files.readOutline(before.files),
    await files.readOutline(after.files),
  );
  return changes.length === 0 ? 'nothing differs' : changes.map(describeChange).join('\n');
}
