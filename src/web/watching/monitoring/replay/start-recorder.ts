import { record } from '@rrweb/record';
import type { StartRecorder } from './start-replay.ts';

/**
 * The bars of the rows are not recorded. Their length is a style attribute, and rrweb copies each change to an element
 * of its own, which the page's policy forbids.
 */
const BARS = '[data-row] [aria-hidden] > span';

/** Records the page with rrweb. Events never contain what a visitor types. */
export const startRecorder: StartRecorder = (onEvent) => {
  const stop = record({
    emit: onEvent,
    maskAllInputs: true,
    // Not an input, but visitors type into it.
    maskTextSelector: '[contenteditable]',
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
};
