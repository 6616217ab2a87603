import * as v from 'valibot';
import { suggestKey } from './describe-issues.ts';

/** The entries of the download area: main browser, wallet tutorial, Android-only browser, official channel. */
export const DOWNLOAD_IDS = ['ub', 'wallet', 'esb', 'tg'] as const;

export type DownloadId = (typeof DOWNLOAD_IDS)[number];

/** `downloads` of `site.json`: which entries there are, in their order. The first is selected by default. */
export const downloads = v.pipe(
  v.array(
    v.picklist(DOWNLOAD_IDS, ({ input }) => `is not a download: ${suggestKey(String(input), DOWNLOAD_IDS)}`),
    'must be a list of downloads',
  ),
  v.checkItems((id, index, ids) => ids.indexOf(id) === index, 'is there twice: remove one'),
);
