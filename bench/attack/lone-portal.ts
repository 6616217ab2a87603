import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Claim } from '../claim.ts';
import { readResidentMb } from '../read-metric.ts';
import { startPortal } from '../start-servers.ts';
import { attackWith } from './attack-with.ts';
import { ATTACK_MS, type Attack, measureAttacks } from './measure-attacks.ts';

type Lines = { readonly lines: object };

const VERSIONS = 20;

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
    attackWith('ten addresses, slow bodies', portal.port),
    attackWith('pipelined requests that expect something unknown', portal.port),
    attackWith('half-open headers', portal.port),
    attackWith('one address asks 1,000 times a second', portal.port),
    attackWith('endless bodies', portal.port),
    attackWith('event streams', opsPort),
    replaceLines(portal.siteDir),
  ];
  return measureAttacks({ target, attacks, close: portal.close }, only);
}

/** Strangers open more connections than the system lets a portal have files. */
export async function attackPortalWithFewFiles(only: string): Promise<readonly Claim[]> {
  const portal = await startPortal(undefined, { maxFiles: 1_024 });
  const target = {
    name: 'a portal with 1,024 files',
    url: `http://127.0.0.1:${portal.port}`,
    residentMb: () => readResidentMb(portal.opsUrl),
  };
  const attacks = [attackWith('silent connections of ten addresses', portal.port)];
  return measureAttacks({ target, attacks, close: portal.close }, only);
}

/** Somebody with the rights of an operator publishes version after version, each with 1,000 other lines. */
function replaceLines(siteDir: string): Attack {
  const file = join(siteDir, 'site.json');
  return {
    what: '20 versions with 1,000 other lines each',
    start: async () => {
      const before = await readFile(file, 'utf8');
      const replacing = replaceAgain(JSON.parse(before) as Lines);
      return async () => {
        await replacing;
        await writeFile(file, before);
      };
    },
  };

  async function replaceAgain(config: Lines): Promise<void> {
    for (let version = 1; version <= VERSIONS; version += 1) {
      // Nobody listens there, so that the portal is told at once.
      const hosts = Array.from(
        { length: 1_000 },
        (_, index) => `http://line${index}.v${version}.localhost:9`,
      );
      await writeFile(file, JSON.stringify({ ...config, lines: { ...config.lines, hosts } }));
      await wait(ATTACK_MS / VERSIONS);
    }
  }
}
