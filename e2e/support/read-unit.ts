import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export type Unit = {
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
};

const UNIT = new URL('../../deploy/portal/waypost@.service', import.meta.url);

/** Reads what the shipped systemd unit starts a portal with, as the instance of this name. */
export async function readUnit(instance: string): Promise<Unit> {
  const text = (await readFile(fileURLToPath(UNIT), 'utf8')).replaceAll('%i', instance);
  const valuesOf = (key: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const [command = ''] = valuesOf('ExecStart');
  return {
    environment: Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=', 2))),
    command: command.split(' '),
  };
}
