import { DEFAULT_TAG_URL } from '../../../contract/page/analytics-events.ts';

export type TagSettings = {
  /** Empty for the default. */
  readonly tagUrl: string;
  readonly measurementId: string;
};

/** Loads the page tag. Nothing waits for it, so a blocked or broken one does no harm. */
export function loadTag(document: Document, settings: TagSettings): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = buildTagUrl(settings);
  document.head.append(script);
}

/** Builds the URL of the tag with the measurement id. */
export function buildTagUrl({ tagUrl, measurementId }: TagSettings): string {
  const url = new URL(tagUrl || DEFAULT_TAG_URL);
  url.searchParams.set('id', measurementId);
  return url.href;
}
