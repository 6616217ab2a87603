import type { LineIdentity } from './line-reply.ts';
/** What the portal tells a line's service worker besides the siblings: how to build their addresses, and how to know them. */
export type StayRules = LineIdentity & {
  readonly ports: readonly number[];
  /** The fallback hosts, without the line that asks. */
  readonly fallback: readonly string[];
  /** Whether the browser may keep the siblings, by the rule of `offline.mode`. */
  readonly mayKeep: boolean;
};
/** Reads the header that carries them. Undefined if a portal does not know this line, or is older than this call. */
export declare function readStayRules(header: string | null | undefined): StayRules | undefined;
