import { DAY_MS } from '../../contract/time-units.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import { buildLine } from '../../engine/line/build-line.ts';

/** The addresses of the fallback hosts for today, as plain links for visitors without JavaScript. */
export function buildFallbackAddresses(
  { fallback, ports }: Pick<SiteConfig['lines'], 'fallback' | 'ports'>,
  { random, now }: { readonly random: () => number; readonly now: () => number },
): readonly string[] {
  const today = Math.floor(now() / DAY_MS);
  return fallback.flatMap((host) => {
    const line = buildLine({ host }, { ports, random, today });
    return 'address' in line ? [line.address] : [];
  });
}
