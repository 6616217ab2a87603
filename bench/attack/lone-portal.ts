import type { Claim } from '../claim.ts';
import { readResidentMb } from '../read-metric.ts';
import { startPortal } from '../start-servers.ts';
import { attackWith } from './attack-with.ts';
import { measureAttacks } from './measure-attacks.ts';

/** What strangers can do to a portal that has nothing in front of it. */
export async function attackLonePortal(only: string): Promise<readonly Claim[]> {
  const portal = await startPortal();
  const opsPort = Number(new URL(portal.opsUrl).port);
  const target = {
    name: 'a portal alone',
    url: `http://127.0.0.1:${portal.port}`,
    residentMb: () => readResidentMb(portal.opsUrl),
  };
  const attacks = [
    attackWith('long headers', portal.port),
    attackWith('pipelined requests, answers unread', portal.port),
    attackWith('five addresses, answers unread', portal.port),
    attackWith('half-open headers', portal.port),
    attackWith('one address asks 1,000 times a second', portal.port),
    attackWith('endless bodies', portal.port),
    attackWith('event streams', opsPort),
  ];
  return measureAttacks({ target, attacks, close: portal.close }, only);
}
