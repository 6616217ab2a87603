import { isDeepStrictEqual } from 'node:util';
import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { JsonEdit } from '../../contract/desk/desk.ts';
import type { SiteFault } from '../../contract/faults/site-fault.ts';
import { TICKET_HEADER } from '../../contract/api/headers.ts';
import { createLimit } from '../../contract/create-limit.ts';
import { PREVIEW_COOKIE } from '../../contract/page/storage-keys.ts';
import { LANDING_PATH, PREVIEW_OPEN_PATH } from '../../contract/paths.ts';
import type { DeskWork } from '../desk/work/jobs.ts';
import { DeskError } from '../desk/desk-error.ts';
import { answerRedirect } from '../http/answer.ts';
import { type AppEnv, createApp } from '../http/create-app.ts';
import { HttpError, refuseAllButGet } from '../http/errors.ts';
import { PAGE_HEADERS, joinDirectives } from '../http/security-headers.ts';
import { createSteering } from '../learning/create-steering.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import { ASSET_PREFIX, type PortalDeps, createPortal } from '../portal/create-portal.ts';
import type { VisitEnv } from '../portal/visit.ts';
import { forgetOldest, putLast } from '../process/forget-oldest.ts';
import { restBetween } from '../process/rest-between.ts';
import { writeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import { SiteError } from '../site/load-site.ts';
import { type ParsedSite, SITE_FILE } from '../site/parse-site.ts';
import { type PublishDeps, type PublishedSite, publishSite } from '../site/publish-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { PREVIEW_LIFE_MS, type PreviewLinks, type PreviewPass } from './create-preview-links.ts';

/** A draft as it is now. */
export type PreviewedDraft = {
  /** Differs after every change. */
  readonly revision: string;
  readonly readFiles: () => Promise<SiteFiles>;
};

export type PreviewDeps = Pick<PortalDeps, 'assets' | 'secret' | 'log' | 'now' | 'monotonicNow'> & {
  readonly links: PreviewLinks;
  /** The epoch of somebody who may see drafts now, or else undefined. A link does not outlive it. */
  readonly findEpoch: (name: string) => string | undefined;
  readonly findDraft: (owner: DraftOwner) => Promise<PreviewedDraft>;
  readonly parse: (files: SiteFiles) => Promise<ParsedSite>;
  readonly editFile: DeskWork['editFile'];
  readonly publishDeps: PublishDeps;
  readonly random: () => number;
};

/** The pages of one draft. */
type Preview = {
  readonly revision: string;
  /** Of what is being typed. */
  readonly edits: readonly JsonEdit[];
  readonly portal: Promise<Hono<VisitEnv>>;
};

export type CreatedPreview = {
  readonly app: Hono<AppEnv>;
  /** Makes the pages of a draft with edits that are not in it. If they have faults, the pages from before stay. */
  readonly prepare: (pass: DraftOwner, edits: readonly JsonEdit[]) => Promise<readonly SiteFault[]>;
};

type DraftOwner = Pick<PreviewPass, 'person' | 'since' | 'draft'>;

/** Each holds a whole site in memory. */
const MAX_PREVIEWS = 4;
/** Nobody's visit: what happens in a preview is not counted. */
const NO_MEASUREMENTS: PortalDeps['measurements'] = {
  countReport: () => undefined,
  countHandOut: () => undefined,
};
const NO_VISITS: PortalDeps['visits' | 'sourceVisits'] = { count: () => undefined };
const NO_RECORDINGS: PortalDeps['recordings'] = { take: () => 'taken' };
/** Pages are rendered on the thread that answers visitors. Each key stroke of an editor may ask for them. */
const MAX_WAITING = 8;
const NOT_FRAMED = "frame-ancestors 'none'";

/**
 * The pages of a draft, as visitors would get them, for everybody with a signed link. They have an origin of their own, because
 * the console frames them: the portal's pages forbid frames, and the console runs no code of a site.
 */
export function createPreview(deps: PreviewDeps): CreatedPreview {
  const { links, findEpoch, findDraft, editFile, log } = deps;
  const previews = new Map<string, Preview>();
  const inTurn = createLimit(1, { maxWaiting: MAX_WAITING, refuse: refuseBusy });
  const runRested = restBetween(deps.monotonicNow);
  const app = createApp<AppEnv>(log);

  app.get(`${PREVIEW_OPEN_PATH}:token{[^/]+}/:path{.*}`, (c) => {
    const token = c.req.param('token');
    const pass = readPass(token);
    setCookie(c, PREVIEW_COOKIE, token, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      maxAge: PREVIEW_LIFE_MS / 1_000,
      // A console behind https cannot frame a page that is not.
      secure: pass.consoleOrigin.startsWith('https:'),
    });
    return answerRedirect(c, writePath(c.req.param('path'), c.req.query('lang')));
  });
  app.get('*', async (c) => {
    const pass = readPass(getCookie(c, PREVIEW_COOKIE) ?? '');
    const framing = `frame-ancestors ${pass.consoleOrigin}`;
    try {
      const portal = await openPortal(pass);
      const answer = await portal.fetch(c.req.raw, c.env);
      // The same for every site. The live preview loads a page for each key stroke.
      return c.req.path.startsWith(ASSET_PREFIX) ? answer : letFrame(answer, framing);
    } catch (error) {
      if (error instanceof SiteError || error instanceof DeskError) return answerFaults(c, error, framing);
      throw error;
    }
  });
  app.all('*', refuseAllButGet);
  return { app, prepare };

  async function prepare(pass: DraftOwner, edits: readonly JsonEdit[]): Promise<readonly SiteFault[]> {
    const { revision, readFiles } = await findDraft(pass);
    const owner = nameOwner(pass);
    const known = previews.get(owner);
    if (known?.revision === revision && isDeepStrictEqual(known.edits, edits)) return [];
    try {
      const portal = await makePortal(async () => applyEdits(await readFiles(), edits, editFile));
      keep(owner, { revision, edits, portal: Promise.resolve(portal) });
      return [];
    } catch (error) {
      if (error instanceof SiteError) return error.faults;
      throw error;
    }
  }

  function makePortal(readFiles: () => Promise<SiteFiles>): Promise<Hono<VisitEnv>> {
    return inTurn(() => runRested(async () => createDraftPortal(await readFiles(), deps)));
  }

  function readPass(token: string): PreviewPass {
    const pass = links.read(token);
    return pass && pass.epoch === findEpoch(pass.person) ? pass : refuseLink();
  }

  async function openPortal(pass: PreviewPass): Promise<Hono<VisitEnv>> {
    const owner = nameOwner(pass);
    const before = previews.get(owner);
    const { revision, readFiles } = await findDraft(pass);
    const known = previews.get(owner);
    // Pages that were made while this request waited are at least as new, and may have what is being typed.
    if (known !== undefined && (known.revision === revision || known !== before)) return known.portal;
    const portal = makePortal(readFiles);
    keep(owner, { revision, edits: [], portal });
    // A draft with faults keeps them. After any other error, such as a database that is away, the next request tries again.
    portal.catch((error: unknown) => {
      if (!(error instanceof SiteError) && previews.get(owner)?.portal === portal) previews.delete(owner);
    });
    return portal;
  }

  function keep(owner: string, preview: Preview): void {
    putLast(previews, owner, preview);
    forgetOldest(previews, MAX_PREVIEWS);
  }
}

async function applyEdits(
  files: SiteFiles,
  edits: readonly JsonEdit[],
  editFile: PreviewDeps['editFile'],
): Promise<SiteFiles> {
  const bytes = files.get(SITE_FILE);
  if (edits.length === 0 || bytes === undefined) return files;
  return new Map(files).set(SITE_FILE, await editFile(SITE_FILE, bytes, edits));
}

/** Somebody who gets the name of another person later must not see what that one typed. */
function nameOwner({ draft, since = 0, person }: DraftOwner): string {
  return `${draft} ${since} ${person}`;
}

/** The path of a page, in the language that a link names. One that could lead to another host is that of the landing page. */
function writePath(path: string, lang: string | undefined): `/${string}` {
  const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`;
  return `${LANDING_PATH}${/^[\w-][\w/-]*$/.test(path) ? path : ''}${query}`;
}

/** A portal of its own for a draft. It serves every region, learns nothing, and watches nobody. */
async function createDraftPortal(files: SiteFiles, deps: PreviewDeps): Promise<Hono<VisitEnv>> {
  const { site, faults } = await deps.parse(files);
  if (site === undefined) throw new SiteError(faults);
  const { analytics, monitoring, compliance } = site.config;
  const config: PublishedSite['config'] = {
    ...site.config,
    start: 'calls',
    offline: { mode: 'off' },
    analytics: { ...analytics, measurementId: '', counts: 'off' },
    monitoring: { ...monitoring, intakeUrl: '' },
    compliance: { ...compliance, restrictedRegions: [] },
  };
  // Without its mmdb files, which may be very large, and of which no page shows anything.
  const loaded = { site: { ...site, config }, addressDatabase: undefined, hash: '' };
  const published = await publishSite(loaded, 1, { ...deps.publishDeps, compression: 'none' });
  return createPortal({
    ...deps,
    site: () => published,
    steering: createSteering(deps),
    metrics: createMetrics(),
    measurements: NO_MEASUREMENTS,
    visits: NO_VISITS,
    sourceVisits: NO_VISITS,
    countCall: () => undefined,
    recordings: NO_RECORDINGS,
  });
}

/** An answer that the console may frame, and that leaves nothing behind: no ticket to report with, and no copy. */
function letFrame(answer: Response, framing: string): Response {
  const headers = new Headers(answer.headers);
  for (const name of ['X-Frame-Options', 'ETag', TICKET_HEADER]) headers.delete(name);
  headers.set('Cache-Control', 'no-store');
  const policy = headers.get('Content-Security-Policy');
  if (policy !== null) headers.set('Content-Security-Policy', policy.replace(NOT_FRAMED, framing));
  return new Response(answer.body, { status: answer.status, headers });
}

function refuseLink(): never {
  throw new HttpError(401, {
    code: 'preview-link-needed',
    message: 'Open the preview from the console: its links work for an hour.',
  });
}

function refuseBusy(): never {
  throw new DeskError('desk-busy', { kind: 'busy' });
}

/** A page that says what is wrong with a draft, for the same frame. */
function answerFaults(
  c: Context,
  error: SiteError | DeskError,
  framing: string,
): Response | Promise<Response> {
  const policy = joinDirectives({ 'default-src': ["'none'"] });
  const { 'X-Frame-Options': _denied, ...headers } = PAGE_HEADERS;
  return c.html(renderFaults(error), 422, {
    ...headers,
    'Content-Security-Policy': `${policy}; ${framing}`,
  });
}

function renderFaults(error: SiteError | DeskError): ReturnType<typeof html> {
  const sentences =
    error instanceof SiteError ? error.faults.map((fault) => writeSiteFault(fault, 'en')) : [error.message];
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>Preview</title>
      <h1>This draft cannot be shown</h1>
      <ul>
        ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>
    </html>`;
}
