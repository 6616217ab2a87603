import * as v from 'valibot';
import type { Signer } from '../caller/create-signer.ts';
import { HOUR_MS } from '../../contract/time-units.ts';

/** Whose draft a link shows, and where. */
export type PreviewPass = v.InferOutput<typeof passSchema>;

export type PreviewLinks = {
  /** Makes the part of a link that opens the preview, for an hour. */
  readonly issue: (pass: PreviewPass) => string;
  /** Undefined for a link that is forged or too old. */
  readonly read: (token: string) => PreviewPass | undefined;
};

export const PREVIEW_LIFE_MS = HOUR_MS;

const passSchema = v.object({
  person: v.string(),
  /** When the person was added. */
  since: v.optional(v.number()),
  /** Of the person, when the link was made. */
  epoch: v.string(),
  draft: v.picklist(['own', 'folder']),
  /** The console that may frame the pages. */
  consoleOrigin: v.string(),
});
const signedSchema = v.object({ ...passSchema.entries, until: v.number() });

/** Signs the links to a preview. A person with a link may look at the draft, and do nothing else. */
export function createPreviewLinks(signer: Signer, now: () => number): PreviewLinks {
  return {
    issue: (pass) => {
      const text = JSON.stringify({ ...pass, until: now() + PREVIEW_LIFE_MS });
      const payload = Buffer.from(text).toString('base64url');
      return `${payload}.${signer.sign('preview', payload)}`;
    },
    read: (token) => {
      const [payload = '', signature = ''] = token.split('.');
      if (!signer.verify('preview', payload, signature)) return undefined;
      // We have signed it, so it is what we wrote.
      const { until, ...pass } = v.parse(
        signedSchema,
        JSON.parse(Buffer.from(payload, 'base64url').toString()),
      );
      // A time in the future comes from a clock that was set back since.
      return Math.abs(now() - (until - PREVIEW_LIFE_MS)) < PREVIEW_LIFE_MS ? pass : undefined;
    },
  };
}
