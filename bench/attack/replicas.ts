import { makeCertificate } from '../../e2e/support/make-certificate.ts';
import { type Replicas, startReplicas } from '../../e2e/support/start-replicas.ts';
import type { Claim } from '../claim.ts';
import { attackWith } from './attack-with.ts';
import { type Attack, measureAttacks } from './measure-attacks.ts';

/** What strangers can do to portals behind nginx, and a store that hangs. */
export async function attackReplicas(only: string): Promise<readonly Claim[]> {
  const certificate = await makeCertificate(['localhost']);
  const replicas = await startReplicas(certificate, {});
  const port = Number(new URL(replicas.url).port);
  const plainPort = Number(new URL(replicas.plainUrl).port);
  const target = {
    name: 'two portals behind nginx',
    url: replicas.url,
    ca: certificate.cert,
    residentMb: async () => {
      const sizes = replicas.portals.map(({ readMetric }) => readMetric('process_resident_memory_bytes'));
      return Math.max(...(await Promise.all(sizes)).map((bytes) => (bytes ?? 0) / 1e6));
    },
  };
  const attacks = [
    attackWith('half-open headers', plainPort),
    attackWith('silent connections', port),
    hangDatabase(replicas),
  ];
  return measureAttacks({ target, attacks, close: replicas.close }, only);
}

function hangDatabase({ postgres }: Replicas): Attack {
  return {
    what: 'PostgreSQL hangs',
    start: async () => {
      postgres.pause();
      return async () => postgres.resume();
    },
  };
}
