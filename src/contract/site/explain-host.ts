import type { Rule } from '../faults/site-fault.ts';
import type { HostPart } from '../faults/texts/en.ts';
import { parseHost } from './parse-host.ts';

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;
/** "http//", "http:/" and "http:" */
const BROKEN_SCHEME = /^(https?)(?:\/\/|:\/?)(?!\/)/i;

/**
 * Finds the rule that a host entry breaks, if `parseHost` refuses it. The rule says what to write instead. Pages do not need
 * it, because they drop such an entry.
 */
export function explainHost(entry: string): Rule {
  const [prefix = '', scheme] = SCHEME.exec(entry) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return { kind: 'host-scheme', scheme };
  const repaired = entry.replace(BROKEN_SCHEME, '$1://');
  if (repaired !== entry && parseHost(repaired).kind === 'host') {
    return { kind: 'broken-scheme', write: repaired };
  }
  const [authority = ''] = entry.slice(prefix.length).split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const part = findPart(entry.slice(prefix.length + authority.length), authority !== host);
  const plain = `${prefix}${host}`;
  if (part !== undefined && parseHost(plain).kind === 'host') {
    return { kind: 'more-than-host', part, write: plain };
  }
  if (/[,;，；、]/.test(entry)) return { kind: 'host-comma' };
  if (/\s/.test(entry)) return { kind: 'host-space' };
  const [, port] = /:(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && parseHost(entry.slice(0, -port.length - 1)).kind === 'host') {
    return { kind: 'host-port', port };
  }
  return { kind: 'plain-host' };
}

/** What stands beside the host. */
function findPart(rest: string, hasUser: boolean): HostPart | undefined {
  if (hasUser) return 'user';
  if (rest.startsWith('?')) return 'query';
  if (rest.startsWith('#')) return 'fragment';
  return rest === '' ? undefined : 'path';
}
