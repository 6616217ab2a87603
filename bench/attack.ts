import { attackDesk } from './attack/desk.ts';
import { floodWithNetworks } from './attack/flood.ts';
import { attackLonePortal, attackPortalWithFewFiles } from './attack/lone-portal.ts';
import { ATTACK_MS, VISITORS } from './attack/measure-attacks.ts';
import { attackReplicas } from './attack/replicas.ts';
import type { Bench } from './claim.ts';

/** One after the other. Each starts what it attacks, and measures one attack at a time. */
const PARTS = [attackLonePortal, attackPortalWithFewFiles, floodWithNetworks, attackReplicas, attackDesk];

/**
 * Attacks a real portal while visitors come and go: none of them may fail, or wait much longer. `--only WORD` makes only the
 * attacks with this word in their name.
 */
export const attack: Bench = {
  title: `attacks of ${ATTACK_MS / 1000} s, while ${VISITORS} visitors at a time make their visits of five requests`,
  run: async ({ only = '' }) => {
    const claims = [];
    for (const part of PARTS) claims.push(...(await part(only)));
    return claims;
  },
};
