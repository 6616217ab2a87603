/**
 * Why a page refuses a line, in detail for operators, with all that the words for it need. A page itself learns much
 * less from its browser.
 */
export type ReplyFault =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unreachable'; readonly code: string }
  /** The line is http and the portal https: browsers block the request (mixed content). */
  | { readonly kind: 'mixed-content'; readonly portal: string }
  | {
      readonly kind: 'certificate';
      /** Node's code for the reason why a browser would not trust it: `CERT_HAS_EXPIRED`, … */
      readonly code: string;
      readonly hostname: string;
      /** In ms since 1970. */
      readonly validTo: number;
    }
  /** It switches protocols (101) instead of answering. */
  | { readonly kind: 'upgrade' }
  | { readonly kind: 'redirect'; readonly location: string | null }
  /** `Access-Control-Allow-Origin` does not allow pages of the portal. */
  | { readonly kind: 'not-allowed' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'no-marker'; readonly marker: string; readonly header: string }
  | {
      readonly kind: 'other-marker';
      readonly marker: string;
      readonly header: string;
      readonly found: string;
    }
  /** It sends the marker, but `Access-Control-Expose-Headers` does not let a page read it. */
  | { readonly kind: 'not-exposed'; readonly header: string };

/** What is wrong with a line's page at `/`: a visitor would enter the line and find nothing. */
export type PageFault =
  | { readonly kind: 'page-status'; readonly status: number }
  | { readonly kind: 'page-no-answer' };

/** Why the application of a line does not count as alive, although the line may pass the speed check. */
export type HealthFault =
  | { readonly kind: 'health-no-answer'; readonly path: string }
  | { readonly kind: 'health-status'; readonly path: string; readonly status: number }
  /** The body does not have the expected content. */
  | { readonly kind: 'health-body'; readonly path: string };

/** What is wrong with the files that keep visitors in, where a line has the script. Visitors can still enter the line. */
export type StayFault =
  | { readonly kind: 'stay-no-worker' }
  /** Without its header, browsers let the worker act for its own folder only. */
  | { readonly kind: 'stay-scope' }
  | { readonly kind: 'stay-type' };

export type LineFault = ReplyFault | PageFault | HealthFault | StayFault;
