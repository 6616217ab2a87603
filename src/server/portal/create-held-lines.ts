import { generateCookie } from 'hono/cookie';
import { parse as parseCookies } from 'hono/utils/cookie';
import { HELD_LINE_COOKIE } from '../../contract/page/storage-keys.ts';
import type { Signer } from '../caller/create-signer.ts';
import type { Visit } from './visit.ts';

/** Remembers in a visitor's own browser which line they entered last, where the site folder says so (`lines.sticky`). */
export type HeldLines = {
  /** The id of the line. Undefined for a cookie that is not ours. */
  readonly read: (visit: Visit) => string | undefined;
  /** The cookie for a visitor who has entered a line. Undefined where nothing is remembered. */
  readonly write: (visit: Visit, lineId: string | undefined) => string | undefined;
};

const MONTH_SECONDS = 2_592_000;
const SHAPE = /^([\w-]{8})\.([\w-]+)$/;

export function createHeldLines(signer: Signer): HeldLines {
  return {
    read: ({ site, header }) => {
      if (!site.config.lines.sticky) return undefined;
      const value = parseCookies(header('cookie') ?? '', HELD_LINE_COOKIE)[HELD_LINE_COOKIE] ?? '';
      const [, id, signature] = SHAPE.exec(value) ?? [];
      return id && signature && signer.verify('line', id, signature) ? id : undefined;
    },
    write: ({ site, isSecure }, lineId) => {
      const line = site.lines.lines.find(({ id }) => id === lineId);
      if (!site.config.lines.sticky || line === undefined) return undefined;
      // It names the line and nothing else: everybody who entered this line has the same cookie.
      return generateCookie(HELD_LINE_COOKIE, `${line.id}.${signer.sign('line', line.id)}`, {
        // Not only for the hostname call: documents that carry their start answers need it, too.
        path: '/',
        maxAge: MONTH_SECONDS,
        httpOnly: true,
        sameSite: 'Lax',
        secure: isSecure,
      });
    },
  };
}
