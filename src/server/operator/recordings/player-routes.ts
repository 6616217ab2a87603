import { posix } from 'node:path';
import type { Hono, MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import { IMAGE_HEADER } from '../../../contract/api/headers.ts';
import { RECORDING_PATHS } from '../../../contract/paths.ts';
import { answerIfChanged, answerPrepared, answerText } from '../../http/answer.ts';
import { refuseAllButGet, refuseUnknownPath } from '../../http/errors.ts';
import type { Desk } from '../../desk/create-desk.ts';
import { IMAGE_TYPES } from '../../http/media-types.ts';
import { type AnswerHeaders, type PreparedAnswer, prepareAnswer } from '../../http/prepare-answer.ts';
import { PAGE_HEADERS, hashSource, joinDirectives } from '../../http/security-headers.ts';
import { type OperatorContext, type OperatorEnv, findListenerOrigin } from '../access/operator-request.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import { IMMUTABLE, SITE_IMAGE_PREFIX, findImage, readHashStart } from '../../site/prepare-images.ts';

export type PlayerRoutesDeps = {
  readonly site: () => Pick<PublishedSite, 'images'>;
  /** The script of the player, in one piece. */
  readonly script: string;
  /** Refuses people who may not look at recordings. */
  readonly guard: MiddlewareHandler<OperatorEnv>;
  /** Finds a file of an earlier version by the start of its hash. Undefined without a desk, which keeps no versions. */
  readonly findFile: Desk['findFile'] | undefined;
};

/** The document that plays recordings, and the images of the site for it. */
export function addPlayerRoutes(
  app: Hono<OperatorEnv>,
  { site, script, guard, findFile }: PlayerRoutesDeps,
): void {
  const inlineScript = script.replaceAll('</script', '<\\/script');
  const page = renderPlayerPage(inlineScript);
  const hash = hashSource(inlineScript);
  app
    .get(RECORDING_PATHS.player, guard, async (c) =>
      answerText(c, await page, buildPlayerHeaders(hash, findListenerOrigin(c))),
    )
    .all(refuseAllButGet);
  app.get(`${SITE_IMAGE_PREFIX}*`, guard, answerIfChanged, answerImage).all(refuseAllButGet);

  /** Answers an image as it was when it was recorded, if it is kept; else as it is now, and says so. */
  async function answerImage(c: OperatorContext): Promise<Response> {
    const { path } = c.req;
    const { images } = site();
    const known = images.answers.get(path) ?? (await prepareEarlier(path));
    if (known !== undefined) return answerPrepared(c, known);
    const present = answerPrepared(c, findImage(images, path) ?? refuseUnknownPath());
    present.headers.set(IMAGE_HEADER, 'present');
    return present;
  }

  async function prepareEarlier(path: string): Promise<PreparedAnswer | undefined> {
    const start = readHashStart(path);
    const type = IMAGE_TYPES.get(posix.extname(path));
    const body = start && type && (await findFile?.(start));
    return body ? prepareAnswer({ body, type, headers: IMMUTABLE, compression: 9 }) : undefined;
  }
}

function renderPlayerPage(inlineScript: string): ReturnType<typeof html> {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Replay</title>
      </head>
      <body>
        ${raw(`<script>${inlineScript}</script>`)}
      </body>
    </html>`;
}

/**
 * Everybody who can reach the intake can write a recording. So its document runs our script and no other, loads images of
 * the site and nothing else, and leads nowhere. The frame in which rrweb shows the page inherits this policy.
 */
function buildPlayerHeaders(scriptHash: string, origin: string): AnswerHeaders {
  const policy = joinDirectives({
    'default-src': ["'none'"],
    'script-src': [scriptHash],
    // The pages carry their styles, and rrweb sets styles of its own.
    'style-src': ["'unsafe-inline'"],
    // Not 'self': an image must not be able to ask the console's calls.
    'img-src': [`${origin}${SITE_IMAGE_PREFIX}`, 'data:'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'"],
  });
  return {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'SAMEORIGIN',
    // No policy covers the names that a browser looks up for links.
    'X-DNS-Prefetch-Control': 'off',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding',
  };
}
