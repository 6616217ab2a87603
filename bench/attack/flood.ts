import { setTimeout as wait } from 'node:timers/promises';
import type { ConsoleWhy } from '../../src/contract/console.ts';
import { CONSOLE_PATHS } from '../../src/contract/paths.ts';
import type { Claim } from '../claim.ts';
import { readMetric, readResidentMb } from '../read-metric.ts';
import { startPortal } from '../start-servers.ts';
import { reportTimes } from '../teach-portal.ts';
import { attackWith } from './attack-with.ts';
import { measureAttacks } from './measure-attacks.ts';

const FORGED = 'reports of 20,000 made-up networks';
/** The number of reports that the attacker sends in its time, and a little more. */
const FORGED_MS = 75_000;
const MIN_FORGED = 20_000;
const BUSY = 20;
/** Each of a /24 of its own. */
const REPORTERS = 40;
const ROUNDS = 8;
/** A window of ten seconds is closed, sealed and folded by then. */
const FOLD_MS = 15_000;
const FAST_MS = 60;
const SLOW_MS = 600;
/** What the strangers say of every line. */
const LIE_MS = 20;

/** Strangers with 20,000 networks tell lies, and 20 busy networks say nothing meanwhile: what is known of them must stay. */
export async function floodWithNetworks(only: string): Promise<readonly Claim[]> {
  const name = 'a portal that knows busy networks';
  if (!`${name}: ${FORGED}`.includes(only)) return [];
  const portal = await startPortal();
  const url = `http://127.0.0.1:${portal.port}`;
  await teachBusyNetworks(url);
  const before = await readTimes(portal.opsUrl);
  let claim: Claim | undefined;
  const claims = await measureAttacks(
    {
      target: { name, url, residentMb: () => readResidentMb(portal.opsUrl) },
      attacks: [{ ...attackWith(FORGED, portal.port), forMs: FORGED_MS }],
      close: async () => {
        claim = await compareTimes(portal.opsUrl, before);
        await portal.close();
      },
    },
    only,
  );
  return claim === undefined ? claims : [...claims, claim];
}

/** Every second network is slow on every second line, so that no network is like the average. */
async function teachBusyNetworks(url: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let network = 0; network < BUSY; network += 1) {
      for (let reporter = 0; reporter < REPORTERS; reporter += 1) {
        await reportTimes(url, `198.${network}.${reporter}.${round + 1}`, (host) =>
          isSlow(network, host) ? SLOW_MS : FAST_MS,
        );
      }
    }
  }
  await wait(FOLD_MS);
}

function isSlow(network: number, host: string): boolean {
  return (network + Number(/line(\d+)/.exec(host)?.[1] ?? 0)) % 2 === 0;
}

type Times = ReadonlyMap<string, number>;

/** What is believed of each line in each busy network, in ms. */
async function readTimes(opsUrl: string): Promise<Times> {
  const times = new Map<string, number>();
  for (let network = 0; network < BUSY; network += 1) {
    const answer = await fetch(new URL(`${CONSOLE_PATHS.why}?network=/198.${network}`, opsUrl));
    const { lines } = (await answer.json()) as ConsoleWhy; // As our own server sends it.
    for (const { host, timeMs } of lines) times.set(`${network} ${host}`, timeMs);
  }
  return times;
}

async function compareTimes(opsUrl: string, before: Times): Promise<Claim> {
  await wait(FOLD_MS);
  const after = await readTimes(opsUrl);
  const taken = await readMetric(opsUrl, /waypost_measurements_total\{verdict="accepted"\} (\d+)/);
  const believed = [...before].filter(([cell, timeMs]) => isNearerToLie(after.get(cell) ?? LIE_MS, timeMs));
  return {
    what: `estimates of lines in ${BUSY} busy networks, nearer to the lie than to what was known before, after ${taken.toLocaleString('en')} reports were taken`,
    measured: `${believed.length} of ${before.size}`,
    bound: {
      text: `none, ≥ ${MIN_FORGED.toLocaleString('en')} taken`,
      isMet: believed.length === 0 && taken >= MIN_FORGED,
    },
  };
}

/** Times are compared by their ratio, as the steering does. */
function isNearerToLie(timeMs: number, knownMs: number): boolean {
  return timeMs / LIE_MS < knownMs / timeMs;
}
