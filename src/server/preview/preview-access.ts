import { PREVIEW_OPEN_PATH } from '../../contract/paths.ts';
import type { VisitContext } from '../portal/visit.ts';
import type { PreviewLinks, PreviewPass } from './preview-links.ts';

/** How the console gets to the preview. */
export type PreviewAccess = {
  /** Where the browser that sent this request finds the preview. */
  readonly findOrigin: (c: VisitContext) => string;
  readonly makeLink: (c: VisitContext, pass: PreviewPass) => string;
};

export type PreviewAccessDeps = {
  readonly links: PreviewLinks;
  /** The URL of the preview behind a proxy. Without it the preview is on the console's host, at its own port. */
  readonly publicUrl: string | undefined;
  /** The preview's port, once it listens. */
  readonly port: () => number | undefined;
};

export function createPreviewAccess({ links, publicUrl, port }: PreviewAccessDeps): PreviewAccess {
  const findOrigin = (c: VisitContext): string => {
    if (publicUrl !== undefined) return new URL(publicUrl).origin;
    const { hostname } = new URL(c.req.url);
    return `${c.get('visit').isSecure ? 'https' : 'http'}://${hostname}:${port()}`;
  };
  return {
    findOrigin,
    makeLink: (c, pass) => `${findOrigin(c)}${PREVIEW_OPEN_PATH}${links.issue(pass)}`,
  };
}
