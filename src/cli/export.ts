import { parseArgs } from 'node:util';
import { type Command, createDataOption, readOnlyArgument } from './command.ts';
import { writeFolder } from './init.ts';
import { parseVersion, useVersions } from './open-versions.ts';

/** `waypost export`: writes a version as a site folder. */
export const exportVersion: Command = {
  help: `Usage: waypost export DIR [--version N] [--data DIR]

Writes the version that is live as a site folder, for version control or for another machine. DIR must be new or empty.
mmdb files are not part of a version: they stay in the folder that the portal was started with.

  --version N    another version than the one that is live
  --data DIR     the portal's data folder (default: WAYPOST_DATA, or ./data)

Example: waypost export ./site --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: createDataOption(process.env), version: { type: 'string' } },
      allowPositionals: true,
    });
    const dir = readOnlyArgument(positionals, 'the name of one new folder, such as ./site');
    const wanted = values.version === undefined ? undefined : parseVersion(values.version);
    const number = await useVersions(values.data, async ({ versions, files, current }) => {
      const version = await versions.read(wanted ?? current);
      await writeFolder(dir, await files.readFiles(version.files));
      return version.number;
    });
    console.log(`version ${number} is written to ${dir}`);
    return 0;
  },
};
