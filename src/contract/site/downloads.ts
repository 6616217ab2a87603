/** The entries of the download area: main browser, wallet tutorial, Android-only browser, official channel. */
export const DOWNLOAD_IDS = ['ub', 'wallet', 'esb', 'tg'] as const;

export type DownloadId = (typeof DOWNLOAD_IDS)[number];
