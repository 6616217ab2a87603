import { record } from '@rrweb/record';
import type { RecordedEvent, Recorder } from './start-replay.ts';

/**
 * The bars of the rows are not recorded. Their length is a style attribute, and rrweb copies each change to an element
 * of its own, which the page's policy forbids.
 */
const BARS = '[data-row] [aria-hidden] > span';

/** Not an input, but visitors type into it. */
const TYPED = '[contenteditable]';

/** Records the page with rrweb. Events never contain what a visitor types, nor the text of what the selector matches. */
export function startRecorder(
  onEvent: (event: RecordedEvent) => void,
  maskTextSelector: string = TYPED,
): Recorder {
  const stop = record({
    emit: onEvent,
    maskAllInputs: true,
    maskTextSelector,
    blockSelector: BARS,
    slimDOMOptions: 'all',
    recordCanvas: false,
    collectFonts: false,
    inlineImages: false,
    sampling: { mousemove: 100, scroll: 200, input: 'last' },
  });
  return {
    takeSnapshot: () => record.takeFullSnapshot(true),
    stop: () => stop?.(),
  };
}
