import { parseHost } from './parse-host.ts';

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;
/** "http//", "http:/" and "http:" */
const BROKEN_SCHEME = /^(https?)(?:\/\/|:\/?)(?!\/)/i;

/**
 * Says what is wrong with a host entry that `parseHost` refuses, and what to write instead. Completes the sentence
 * "lines.hosts[2] …". Pages do not need it: they drop such an entry.
 */
export function explainHost(entry: string): string {
  const [prefix = '', scheme] = SCHEME.exec(entry) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) {
    return `has the scheme "${scheme}": write https://, http:// or none`;
  }
  const repaired = entry.replace(BROKEN_SCHEME, '$1://');
  if (repaired !== entry && parseHost(repaired).kind === 'host') {
    return `has a scheme without "://": write "${repaired}"`;
  }
  const [authority = ''] = entry.slice(prefix.length).split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const extra = nameExtra(entry.slice(prefix.length + authority.length), authority !== host);
  const plain = `${prefix}${host}`;
  if (extra !== undefined && parseHost(plain).kind === 'host') return `has ${extra}: write "${plain}" only`;
  if (/[,;，；、]/.test(entry))
    return 'has a comma: write each host as a text of its own, such as "line1.example"';
  if (/\s/.test(entry)) return 'has a space: write a host such as "line1.example"';
  const [, port] = /:(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && parseHost(entry.slice(0, -port.length - 1)).kind === 'host') {
    return `has the port ${port}: write one from 1 to 65535`;
  }
  const parts = parseHost(entry);
  const reason = parts.kind === 'refused' ? `: it ${parts.reason}` : '';
  return `must be a host such as "line1.example"${reason}`;
}

function nameExtra(rest: string, hasUser: boolean): string | undefined {
  if (hasUser) return 'a user name';
  if (rest.startsWith('?')) return 'a query';
  if (rest.startsWith('#')) return 'a fragment';
  return rest === '' ? undefined : 'a path';
}
