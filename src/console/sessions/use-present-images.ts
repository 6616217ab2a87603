import { useEffect, useState } from 'react';
import { IMAGE_HEADER } from '../../contract/api/headers.ts';
import type { RecordedEvent } from '../player/messages.ts';

/** The images of a site, with or without the origin of the page in front. */
const IMAGE = /\/site\/[^"'\\\s),?#]+/g;
/** A page has about ten. A forged recording could name thousands. */
const MAX_IMAGES = 50;

/** Whether some images of a recording are shown as they are now, because the portal has not kept those of then. */
export function usePresentImages(events: readonly RecordedEvent[] | undefined): boolean {
  const [hasPresent, setHasPresent] = useState(false);
  useEffect(() => {
    if (events === undefined) return undefined;
    const ending = new AbortController();
    void askForImages(listImages(events), ending.signal).then((found) => setHasPresent(found));
    return () => ending.abort();
  }, [events]);
  return hasPresent;
}

/** The paths of the images that a recording shows. */
export function listImages(events: readonly RecordedEvent[]): readonly string[] {
  return [...new Set(JSON.stringify(events).match(IMAGE))].slice(0, MAX_IMAGES);
}

async function askForImages(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
  // One that cannot be asked for is not shown either.
  const ask = (path: string): Promise<boolean> =>
    fetch(path, { method: 'HEAD', signal }).then(
      ({ headers }) => headers.has(IMAGE_HEADER),
      () => false,
    );
  return (await Promise.all(paths.map(ask))).includes(true);
}
