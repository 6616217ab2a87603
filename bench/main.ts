import { parseArgs } from 'node:util';
import { accuracy } from './accuracy.ts';
import { attack } from './attack.ts';
import type { Bench, Claim } from './claim.ts';
import { consoleBench } from './console.ts';
import { enter } from './enter.ts';
import { hostnames } from './hostnames.ts';
import { incidents } from './incidents.ts';
import { intake } from './intake.ts';
import { lighthouseBench } from './lighthouse.ts';
import { offline } from './offline.ts';
import { page } from './page.ts';
import { phone } from './phone.ts';
import { race } from './race.ts';
import { redirect } from './redirect.ts';
import { replay } from './replay.ts';
import { scale } from './scale.ts';
import { stay } from './stay.ts';
import { steering } from './steering.ts';
import { store } from './store.ts';
import { uptime } from './uptime.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  race,
  accuracy,
  redirect,
  enter,
  offline,
  stay,
  hostnames,
  page,
  replay,
  intake,
  phone,
  lighthouse: lighthouseBench,
  steering,
  scale,
  incidents,
  uptime,
  console: consoleBench,
  store,
  attack,
};

/**
 * Runs the named benches, or all, and prints what each measured. Resolves with the exit status. `--beside DIR` names
 * another checkout that has been built, which `phone` and `hostnames` measure too. `--only WORD` makes only the attacks, or measures only the parts of `store`, with this
 * word in their name; of `incidents` and `uptime` it names the seeds. `--minutes N` says for how long `store` records segments (one minute by default).
 */
export async function main(args: readonly string[]): Promise<number> {
  const { positionals: names, values: options } = parseArgs({
    args: [...args],
    options: {
      beside: { type: 'string' },
      only: { type: 'string' },
      minutes: { type: 'string', default: '1' },
    },
    allowPositionals: true,
  });
  const minutes = Number(options.minutes);
  if (!Number.isInteger(minutes) || minutes < 1) {
    console.error(`bench: --minutes must be a whole number above 0, got "${options.minutes}"`);
    return 2;
  }
  const unknown = names.find((name) => !(name in BENCHES));
  if (unknown !== undefined) {
    console.error(`bench: "${unknown}" is not one of ${Object.keys(BENCHES).join(', ')}`);
    return 2;
  }
  let isMet = true;
  for (const [name, { title, run }] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name}: ${title}`);
    for (const claim of await run({ ...options, minutes })) {
      console.log(`  ${describeClaim(claim)}`);
      isMet &&= claim.bound?.isMet ?? true;
    }
  }
  return isMet ? 0 : 1;
}

function describeClaim({ what, measured, bound }: Claim): string {
  const mark = bound === undefined ? ' ' : bound.isMet ? '✓' : '✗';
  return `${mark} ${what}: ${measured}${bound === undefined ? '' : ` (bound: ${bound.text})`}`;
}
