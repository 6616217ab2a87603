import { record } from '@rrweb/record';
import type { StartRecorder } from './create-replay.ts';

/** Records the page with rrweb. What a visitor types never becomes part of an event. */
export const startRecorder: StartRecorder = (onEvent) => {
  const stop = record({
    emit: onEvent,
    maskAllInputs: true,
    // Not an input by name, but typed into all the same.
    maskTextSelector: '[contenteditable]',
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
