import { ANNOUNCEMENT_KEY } from '../../../contract/page/storage-keys.ts';

/**
 * A script for the head that marks the page where the visitor has dismissed this very announcement.
 *
 * It runs before the first paint: taking the bar away later would move everything below it.
 */
export function renderHideDismissed(text: string): string {
  const [key, dismissed] = [ANNOUNCEMENT_KEY, text].map((value) =>
    JSON.stringify(value).replaceAll('<', '\\u003c'),
  );
  // Storage may be forbidden; then the announcement is shown.
  return `try{localStorage[${key}]==${dismissed}&&(document.documentElement.dataset.read="")}catch{}`;
}
