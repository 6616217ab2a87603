import type { SiteConfig } from '../../contract/site/site-config.ts';
import { buildLineAddress } from '../../engine/line/build-address.ts';

const DAY_MS = 86_400_000;

/** The addresses of the fallback hosts for today, as plain links for visitors without JavaScript. */
export function buildFallbackAddresses(
  { fallback, ports }: Pick<SiteConfig['lines'], 'fallback' | 'ports'>,
  { random, now }: { readonly random: () => number; readonly now: () => number },
): readonly string[] {
  const today = Math.floor(now() / DAY_MS);
  return fallback.flatMap((host) => {
    const built = buildLineAddress(host, { ports, random, today });
    return built.kind === 'address' ? [built.address] : [];
  });
}
