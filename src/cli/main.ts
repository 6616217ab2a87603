#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    if (name === '--version') {
      console.log(await readVersion());
      return 0;
    }
    const isHelp = name === undefined || name === 'help' || name === '--help';
    if (!isHelp) console.error(`waypost: "${name}" is not a command`);
    console[isHelp ? 'log' : 'error'](await listCommands());
    return isHelp ? 0 : 2;
  }
  try {
    const command = await load();
    if (args.includes('--help')) {
      console.log(command.help);
      return 0;
    }
    return await command.run(args);
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseArgsError(error);
    const message = error instanceof Error ? error.message : String(error);
    console.error(`waypost ${name}: ${message}${isUsage ? ` (see waypost ${name} --help)` : ''}`);
    return isUsage ? 2 : 1;
  }
}

async function listCommands(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => `  ${name.padEnd(8)}${(await load()).summary}`),
  );
  return [
    'Usage: waypost COMMAND [options]',
    '',
    ...rows,
    '',
    'waypost COMMAND --help shows its options, waypost --version the installed version.',
  ].join('\n');
}

async function readVersion(): Promise<string> {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { readonly version: string }).version;
}

/** Node's `parseArgs` throws these for a wrong option, and names it. */
function isParseArgsError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
