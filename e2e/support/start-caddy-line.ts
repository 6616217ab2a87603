import { LINE_PORTS } from '../../src/contract/limits.ts';
import type { Edit } from './edit-config.ts';
import { type LineProgram, type LineProgramOptions, runLineProgram } from './run-line-program.ts';

/** Starts Debian's Caddy on `deploy/line/Caddyfile`. */
export function startCaddyLine(options: LineProgramOptions = {}): Promise<LineProgram> {
  return runLineProgram({
    config: 'Caddyfile',
    command: '/usr/bin/caddy',
    args: (dir) => ['run', '--adapter', 'caddyfile', '--config', `${dir}/Caddyfile`],
    edits: (ports) => [
      ...LINE_PORTS.map((port, i): Edit => [`https://:${port}`, `https://:${ports[i]}`]),
      // The admin endpoint has a fixed port, which a second Caddy on this machine would find in use.
      ['# default_bind 203.0.113.7', 'default_bind 127.0.0.1\n\tadmin off'],
    ],
    httpEdits: [
      ['https://:', 'http://:'],
      [/^\ttls .*\n/gm, ''],
    ],
    options,
  });
}
