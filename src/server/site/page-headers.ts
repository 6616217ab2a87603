import { DEFAULT_TAG_URL } from '../../contract/page/analytics-events.ts';
import type { PageKind, RenderedPage } from '../../contract/page/page-data.ts';
import { parseHost } from '../../contract/site/parse-host.ts';
import { OWN_INTAKE } from '../../contract/site/site-config.ts';
import type { AnswerHeaders } from '../http/prepare-answer.ts';
import { OPENER_POLICY, PAGE_HEADERS, hashSource, joinDirectives } from '../http/security-headers.ts';
import type { Site } from './parse-site.ts';

/** The security headers of a page: it runs what it was rendered with, and nothing else. */
export function buildPageHeaders(kind: PageKind, page: RenderedPage, site: Site): AnswerHeaders {
  const headers = { 'Content-Security-Policy': buildPolicy(page, site), ...PAGE_HEADERS };
  if (kind !== 'redirect') return headers;
  // With it, Chromium starts a second process for the page, and a third one for the line. Nobody stays on this page, so there is
  // nothing that the window's opener could replace (decision 50).
  const { [OPENER_POLICY]: _dropped, ...others } = headers;
  return others;
}

function buildPolicy(page: RenderedPage, site: Site): string {
  const { analytics, monitoring, services } = site.config;
  const tagOrigins =
    analytics.measurementId === '' ? [] : [new URL(analytics.tagUrl || DEFAULT_TAG_URL).origin];
  const serviceOrigins = [services.callerAddress, monitoring.intakeUrl].flatMap((url) => originOf(url) ?? []);
  // The policy allows the schemes of the lines. Their names would give the whole list to everybody who reads a page.
  const lineSchemes = usesPlainHttp(site) ? ['https:', 'http:'] : ['https:'];
  return joinDirectives({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...page.inlineScripts.map(hashSource), ...tagOrigins],
    'style-src': ["'self'", ...page.inlineStyles.map(hashSource)],
    'img-src': ["'self'", 'data:', ...tagOrigins],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...serviceOrigins, ...lineSchemes],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
}

function usesPlainHttp({ config, targets }: Site): boolean {
  const lineHosts = config.lines.hosts.map(({ host }) => host);
  const targetHosts = [...targets.values()].flatMap(({ hosts }) => hosts);
  return [...lineHosts, ...config.lines.fallback, ...targetHosts].some((host) => {
    const parts = parseHost(host);
    return parts.kind === 'host' && parts.scheme === 'http';
  });
}

function originOf(url: string): string | undefined {
  return url === '' || url === OWN_INTAKE ? undefined : new URL(url).origin;
}
