import { record } from '@rrweb/record';
import type { StartRecorder } from './create-replay.ts';

/**
 * The bars of the rows, whose length is a style attribute: for each change of one, rrweb sets the old one on an element
 * of its own, which the page's policy forbids.
 */
const BARS = '[data-row] [aria-hidden] > span';

/** Records the page with rrweb. What a visitor types never becomes part of an event. */
export const startRecorder: StartRecorder = (onEvent) => {
  const stop = record({
    emit: onEvent,
    maskAllInputs: true,
    // Not an input by name, but typed into all the same.
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
