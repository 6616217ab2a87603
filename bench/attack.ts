import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCertificate } from '../e2e/support/make-certificate.ts';
import { type Visitors, sendVisits } from '../e2e/support/send-visits.ts';
import { type Replicas, startReplicas } from '../e2e/support/start-replicas.ts';
import type { Bench, Claim } from './claim.ts';
import { readResidentMb } from './read-metric.ts';
import { startPortal } from './start-servers.ts';
import { median } from './statistics.ts';

const VISITORS = 8;
const VISIT_PAUSE_MS = 50;
const CALM_MS = 4_000;
const ATTACK_MS = 10_000;
/** This long after an attack, everything must be as it was before. */
const RECOVERY_MS = 5_000;
const MAX_SLOWDOWN = 2;
const MAX_RESIDENT_MB = 200;

/** What is attacked, and how to measure its visitors and its memory. */
type Target = {
  readonly visit: () => Visitors;
  /** The largest that any of its portals has. */
  readonly residentMb: () => Promise<number>;
};

type Attack = {
  readonly what: string;
  /** Starts the attack. Resolves with a function that ends it. */
  readonly start: () => Promise<() => Promise<void>>;
};

/** Attacks a real portal while visitors come and go: none of them may fail, or wait much longer. */
export const attack: Bench = {
  title: `attacks of ${ATTACK_MS / 1000} s, while ${VISITORS} visitors at a time make their visits of five requests`,
  run: async () => [...(await attackLonePortal()), ...(await attackReplicas())],
};

async function attackLonePortal(): Promise<readonly Claim[]> {
  const portal = await startPortal();
  const opsPort = Number(new URL(portal.opsUrl).port);
  const target = {
    visit: () =>
      sendVisits(`http://127.0.0.1:${portal.port}`, { visitors: VISITORS, pauseMs: VISIT_PAUSE_MS }),
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
  try {
    return await measureAttacks('a portal alone', target, attacks);
  } finally {
    await portal.close();
  }
}

async function attackReplicas(): Promise<readonly Claim[]> {
  const certificate = await makeCertificate(['localhost']);
  const replicas = await startReplicas(certificate, {});
  const port = Number(new URL(replicas.url).port);
  const plainPort = Number(new URL(replicas.plainUrl).port);
  const target = {
    visit: () =>
      sendVisits(replicas.url, { ca: certificate.cert, visitors: VISITORS, pauseMs: VISIT_PAUSE_MS }),
    residentMb: async () => {
      const sizes = replicas.portals.map(({ readMetric }) => readMetric('process_resident_memory_bytes'));
      return Math.max(...(await Promise.all(sizes)).map((bytes) => (bytes ?? 0) / 1e6));
    },
  };
  const attacks = [
    attackWith('half-open headers', plainPort),
    attackWith('silent connections', port),
    hangRedis(replicas),
  ];
  try {
    return await measureAttacks('two portals behind nginx', target, attacks);
  } finally {
    await replicas.close();
  }
}

function attackWith(name: string, port: number): Attack {
  return {
    what: name,
    start: async () => {
      const child = spawn(process.execPath, ['bench/attack/attacker.mjs', name, String(port)], {
        stdio: 'inherit',
      });
      await once(child, 'spawn');
      return async () => {
        if (child.exitCode !== null) throw new Error(`the attacker of "${name}" ended by itself`);
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      };
    },
  };
}

function hangRedis({ redis }: Replicas): Attack {
  return {
    what: 'Redis hangs',
    start: async () => {
      redis.pause();
      return async () => redis.resume();
    },
  };
}

async function measureAttacks(
  where: string,
  target: Target,
  attacks: readonly Attack[],
): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  await visitFor(target, CALM_MS); // Until V8 has compiled the code that runs often.
  for (const { what, start } of attacks) {
    const before = await visitFor(target, CALM_MS);
    const end = await start();
    const during = await visitFor(target, ATTACK_MS);
    await end();
    await wait(RECOVERY_MS);
    const after = await visitFor(target, CALM_MS);
    const failures = [...during.failures, ...after.failures];
    const [slowdown, aftermath] = [during.medianMs / before.medianMs, after.medianMs / before.medianMs];
    claims.push({
      what: `${where}: ${what}`,
      measured:
        `${failures.length} of ${5 * (during.visits + after.visits)} requests failed${describeFirst(failures)}, ` +
        `median visit ${before.medianMs.toFixed(1)} → ${during.medianMs.toFixed(1)} → ${after.medianMs.toFixed(1)} ms, ` +
        `at most ${during.residentMb.toFixed(0)} MB`,
      bound: {
        text: `none failed, ≤ ${MAX_SLOWDOWN} × before, also ${RECOVERY_MS / 1000} s after its end, < ${MAX_RESIDENT_MB} MB`,
        isMet:
          failures.length === 0 &&
          slowdown <= MAX_SLOWDOWN &&
          aftermath <= MAX_SLOWDOWN &&
          during.residentMb < MAX_RESIDENT_MB,
      },
    });
  }
  return claims;
}

function describeFirst(failures: readonly string[]): string {
  return failures[0] === undefined ? '' : ` (such as ${failures[0]})`;
}

type Stretch = {
  readonly visits: number;
  readonly failures: readonly string[];
  readonly medianMs: number;
  readonly residentMb: number;
};

/** Lets visitors come for a while. */
async function visitFor({ visit, residentMb }: Target, forMs: number): Promise<Stretch> {
  const { tally, stop } = visit();
  const sizes: number[] = [];
  for (const endsAt = performance.now() + forMs; performance.now() < endsAt;) {
    sizes.push(await residentMb());
    await wait(250);
  }
  await stop();
  return {
    visits: tally.visits,
    failures: tally.failures,
    medianMs: median(tally.durations),
    residentMb: Math.max(...sizes),
  };
}
