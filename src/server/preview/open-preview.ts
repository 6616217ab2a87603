import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import type { JsonEdit } from '../../contract/desk/desk.ts';
import type { SiteFault } from '../../contract/faults/site-fault.ts';
import { PREVIEW_OPEN_PATH } from '../../contract/paths.ts';
import { createSigner } from '../caller/create-signer.ts';
import type { Desk } from '../desk/create-desk.ts';
import { parseSiteApart } from '../desk/work/jobs.ts';
import type { AppEnv } from '../http/create-app.ts';
import { type PreviewDeps, createPreview } from './create-preview.ts';
import { type PreviewPass, createPreviewLinks } from './create-preview-links.ts';

export type OpenedPreview = {
  /** The pages of drafts. */
  readonly app: Hono<AppEnv>;
  readonly access: PreviewAccess;
  /** Tells the console where the preview listens. */
  readonly setPort: (port: number) => void;
};

/** How the console gets to the preview. */
export type PreviewAccess = {
  /** Where a browser finds the preview, if it finds the operator's listener at this origin. */
  readonly findOrigin: (listenerOrigin: string) => string;
  readonly makeLink: (listenerOrigin: string, pass: Omit<PreviewPass, 'epoch'>, path: string) => string;
  /** Makes the pages of a draft, together with edits that are not in it. Returns the faults that keep it from that. */
  readonly prepare: (
    pass: Pick<PreviewPass, 'person' | 'since' | 'draft'>,
    edits: readonly JsonEdit[],
  ) => Promise<readonly SiteFault[]>;
};

export type OpenPreviewOptions = Omit<PreviewDeps, 'links' | 'findDraft' | 'parse' | 'editFile'> & {
  readonly desk: Pick<Desk, 'revisionOf' | 'readFiles' | 'work'>;
  /** The URL of the preview behind a proxy. Without it the preview is on the console's host, at its own port. */
  readonly publicUrl: string | undefined;
};

const KEY_BYTES = 32;

/** Opens the preview of the desk's drafts, and the console's way to it. */
export function openPreview({ desk, publicUrl, ...deps }: OpenPreviewOptions): OpenedPreview {
  // A key of this process: somebody who steals the secret that the portals share can open no draft with it.
  const links = createPreviewLinks(createSigner(randomBytes(KEY_BYTES)), deps.now);
  let port: number | undefined;
  const { app, prepare } = createPreview({
    ...deps,
    links,
    parse: (files) => parseSiteApart(desk.work, files),
    findDraft: async ({ person: name, since, draft }) => ({
      revision: await desk.revisionOf({ name, since }, { draft }),
      readFiles: () => desk.readFiles({ name, since }, { draft }),
    }),
    editFile: desk.work.editFile,
  });
  const findOrigin = (listenerOrigin: string): string => {
    if (publicUrl !== undefined) return new URL(publicUrl).origin;
    const { protocol, hostname } = new URL(listenerOrigin);
    return `${protocol}//${hostname}:${port}`;
  };
  return {
    app,
    access: {
      findOrigin,
      makeLink: (listenerOrigin, pass, path) => {
        // A person who has just lost the right gets a link that opens nothing.
        const epoch = deps.findEpoch(pass.person) ?? '';
        const token = links.issue({ ...pass, epoch });
        return `${findOrigin(listenerOrigin)}${PREVIEW_OPEN_PATH}${token}${path}`;
      },
      prepare,
    },
    setPort: (found) => void (port = found),
  };
}
