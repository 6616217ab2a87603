#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { COMMAND_CODES, type CommandCode, writeCoded } from '../contract/error-codes.ts';
import { readCode, readReason } from '../contract/read-code.ts';
import { explainDenied } from './given-paths.ts';
import { COMMANDS } from './commands.ts';

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  const listed = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (listed === undefined) {
    if (name === '--version') {
      console.log(await readVersion());
      return 0;
    }
    const isHelp = name === undefined || name === 'help' || name === '--help';
    if (!isHelp) {
      console.error(writeCoded({ code: 'usage', message: `waypost: "${name}" is not a command` }));
    }
    console[isHelp ? 'log' : 'error'](listCommands());
    return isHelp ? 0 : 2;
  }
  try {
    const command = await listed.load();
    if (args.includes('--help')) {
      console.log(command.help);
      return 0;
    }
    return await command.run(args);
  } catch (error) {
    const said = readReason(error).replace(/\.$/, '');
    const { code, message: reason } = explainDenied(error) ?? { code: findCode(error), message: said };
    const hint = code === 'usage' ? ` (see waypost ${name} --help)` : '';
    const message = `waypost ${name}: ${reason}${hint}`;
    // The faults of a site folder have their codes already, one in each line.
    const isCoded = error instanceof Error && 'faults' in error;
    console.error(isCoded ? message : writeCoded({ code, message }));
    return code === 'usage' ? 2 : 1;
  }
}

/** The code of an error of ours. Node's own errors have other codes, and name what failed in their message. */
function findCode(error: unknown): CommandCode {
  if (isParseArgsError(error)) return 'usage';
  const given = readCode(error);
  return COMMAND_CODES.find((code) => code === given) ?? 'unexpected';
}

function listCommands(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
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
  return error instanceof TypeError && readCode(error).startsWith('ERR_PARSE_ARGS');
}
