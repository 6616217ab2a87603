import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMissing } from '../contract/read-code.ts';
import { type SiteFiles, readSiteFolder } from '../server/site/read-site-folder.ts';
import { checkFolder } from './given-paths.ts';
import { type Command, CommandError, readOnlyArgument } from './command.ts';

const DEMO_DIR = fileURLToPath(new URL('../../site', import.meta.url));
/** The sources of the demo's images. They are not served. */
const ART = 'art/';

/** `waypost init`: writes a site folder to start from. */
export const init: Command = {
  help: `Usage: waypost init DIR

Writes a new site folder: the demo brand's, whole and valid, with the JSON Schema of site.json beside it, by which
editors complete and check what you write. DIR must be new or empty.

Exit status: 0 if it was written, 1 if DIR holds something already, 2 for a command line that makes no sense.

Example: waypost init ./my-site`,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
    const dir = readOnlyArgument(positionals, 'the name of one new folder, such as ./my-site');
    await writeSiteFolder(dir);
    console.log(describeNextSteps(dir));
    return 0;
  },
};

/** Writes the demo brand's folder to a new or empty folder. */
export async function writeSiteFolder(dir: string): Promise<void> {
  const { files } = await readSiteFolder(DEMO_DIR);
  await writeFolder(dir, new Map([...files].filter(([path]) => !path.startsWith(ART))));
}

/** Writes files to a new or empty folder. */
export async function writeFolder(dir: string, files: SiteFiles): Promise<void> {
  await checkFolder('DIR', dir);
  if (!(await isVacant(dir))) {
    const message = `${dir} is not an empty folder: give the name of a new one`;
    throw new CommandError({ code: 'folder-in-use', message });
  }
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), bytes);
  }
}

async function isVacant(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length === 0;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

function describeNextSteps(dir: string): string {
  return [
    `${dir} is written, with a brand that is made up. Next:`,
    '',
    `  1. edit ${join(dir, 'site.json')} (brand, lines, compliance), ${join(dir, 'json/link.json')} (the links),`,
    `     ${join(dir, 'json/urls')} (the addresses behind /t) and the images`,
    `  2. npx waypost check --site ${dir} --lines`,
    `  3. npx waypost serve --site ${dir}`,
  ].join('\n');
}
