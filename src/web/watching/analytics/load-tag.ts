import { DEFAULT_TAG_URL } from '../../../contract/page/analytics-tag.ts';

export type TagSettings = {
  /** Empty for the default. */
  readonly tagUrl: string;
  readonly measurementId: string;
};

/** Loads the page tag. One that is blocked or broken costs the page nothing: nobody waits for it. */
export function loadTag(document: Document, settings: TagSettings): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = buildTagUrl(settings);
  document.head.append(script);
}

/** The tag's address with the measurement id in it. */
export function buildTagUrl({ tagUrl, measurementId }: TagSettings): string {
  const url = new URL(tagUrl || DEFAULT_TAG_URL);
  url.searchParams.set('id', measurementId);
  return url.href;
}
