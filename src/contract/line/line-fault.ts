import type { LineCertificate } from './line-reply.ts';

/** Why a page refuses a line, in detail for operators. A page itself learns much less from its browser. */
export type ReplyFault =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unreachable'; readonly code: string }
  /** The line is http and the portal https: browsers block the request (mixed content). */
  | { readonly kind: 'mixed-content' }
  | { readonly kind: 'certificate'; readonly code: string; readonly certificate: LineCertificate }
  /** It switches protocols (101) instead of answering. */
  | { readonly kind: 'upgrade' }
  | { readonly kind: 'redirect'; readonly location: string | undefined }
  /** `Access-Control-Allow-Origin` does not allow pages of the portal. */
  | { readonly kind: 'not-allowed'; readonly allowed: string | undefined }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'no-marker' }
  | { readonly kind: 'other-marker'; readonly found: string }
  /** It sends the marker, but `Access-Control-Expose-Headers` does not let a page read it. */
  | { readonly kind: 'not-exposed' };

/** What is wrong with a line's page at `/`: a visitor would enter the line and find nothing. */
export type PageFault =
  | { readonly kind: 'page-status'; readonly status: number }
  | { readonly kind: 'page-no-answer' };

export type LineFault = ReplyFault | PageFault;
