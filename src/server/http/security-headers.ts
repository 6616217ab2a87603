import { hash } from 'node:crypto';
import type { AnswerHeaders } from './prepare-answer.ts';

/** A year. Without `includeSubDomains`: a line below the portal's own domain may speak http. */
export const HSTS = 'max-age=31536000';

/** Tells a browser that came by https to use nothing else from now on. */
export function demandHttps(headers: Headers): void {
  headers.set('Strict-Transport-Security', HSTS);
}

/** For everything that is not a page: it may neither be framed nor run as one. */
export const DATA_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

const FORBIDDEN_FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics'];

/** The window that opened a page cannot reach into it, nor take the visitor elsewhere. */
export const OPENER_POLICY = 'Cross-Origin-Opener-Policy';

export const PAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  [OPENER_POLICY]: 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': FORBIDDEN_FEATURES.map((feature) => `${feature}=()`).join(', '),
};

/**
 * The security headers of the operator's console, which talks to nobody but its own listener, and frames the player of
 * recordings and the preview only.
 */
export function buildConsoleHeaders(previewOrigin?: string): AnswerHeaders {
  const policy = joinDirectives({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'", ...(previewOrigin === undefined ? [] : [previewOrigin])],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
  return { 'Content-Security-Policy': policy, ...PAGE_HEADERS };
}

/** Names an inline script or style in a policy. */
export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Writes a content security policy. */
export function joinDirectives(directives: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(' ')}`)
    .join('; ');
}
