import { readFile } from 'node:fs/promises';
import type { Claim } from '../claim.ts';
import { startPortal } from '../start-servers.ts';
import { startAttacker } from './attack-with.ts';
import { type Attack, measureAttacks } from './measure-attacks.ts';

const TOKEN = 'a-token-of-the-bench-0123456789';
/** A visitor beside an upload or an edit waits at most this much longer than without. */
const MAX_EXTRA_MS = 50;

/** What an editor can do to a portal with the worst file of the largest size that the desk takes. */
export async function attackDesk(only: string): Promise<readonly Claim[]> {
  const portal = await startPortal(undefined, {
    args: ['--edit', '--preview-port', '0'],
    env: { WAYPOST_OPS_TOKEN: TOKEN },
  });
  const target = {
    name: 'the desk',
    url: `http://127.0.0.1:${portal.port}`,
    residentMb: () => readResidentMb(portal.pid),
  };
  const attacks = [
    attackDeskWith('changes of a minified site.json', portal.opsUrl),
    attackDeskWith('images of nested elements', portal.opsUrl),
    attackDeskWith('the slowest images', portal.opsUrl),
    attackDeskWith('checks of a file that repeats a key', portal.opsUrl),
    attackDeskWith('checks of a file of unknown keys', portal.opsUrl),
    attackDeskWith('eight noisy images of four megapixels at once', portal.opsUrl),
  ];
  return measureAttacks({ target, attacks, close: portal.close }, only);
}

function attackDeskWith(name: string, opsUrl: string): Attack {
  return {
    what: name,
    maxExtraMs: MAX_EXTRA_MS,
    start: () => startAttacker('desk-attacker.mjs', [name, opsUrl, TOKEN]),
  };
}

/** From the system, because the metrics of this portal ask for a token. */
async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024) / 1e6;
}
