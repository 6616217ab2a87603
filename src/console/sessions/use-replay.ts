import { type RefObject, useEffect, useRef, useState } from 'react';
import type { PlayerCommand, PlayerMessage, RecordedEvent } from '../player/messages.ts';

type Settings = { readonly speed: '1' | '2' | '4' | '8'; readonly skipsIdle: boolean };

type Progress = {
  readonly state: 'loading' | 'loaded' | 'failed';
  readonly totalMs: number;
  readonly atMs: number;
  readonly isPlaying: boolean;
  /** Of the page that was recorded. */
  readonly size: { readonly width: number; readonly height: number };
};

export type PlayedReplay = Progress &
  Settings & {
    readonly show: (atMs: number, isPlaying: boolean) => void;
    readonly set: (settings: Settings) => void;
  };

/** How finely a replay can be set. */
export const STEP_MS = 100;

const START: Progress = {
  state: 'loading',
  totalMs: 0,
  atMs: 0,
  isPlaying: false,
  size: { width: 16, height: 10 },
};

/**
 * Hands events to the document of the player in a frame, and follows what it plays. The document loads while the events do:
 * they are undefined until then.
 */
export function useReplay(events: readonly RecordedEvent[] | undefined): {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly replay: PlayedReplay;
} {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [progress, setProgress] = useState(START);
  const [settings, setSettings] = useState<Settings>({ speed: '1', skipsIdle: true });

  useEffect(() => {
    const onMessage = ({ data, origin, source }: MessageEvent<PlayerMessage>): void => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      if (data.kind === 'ready') setIsReady(true);
      else setProgress((before) => follow(before, data));
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    if (isReady && events !== undefined) say(frame, { kind: 'load', events });
  }, [isReady, events]);

  const { state } = progress;
  useEffect(() => {
    const { speed, skipsIdle } = settings;
    if (state === 'loaded') say(frame, { kind: 'set', speed: Number(speed), skipsIdle });
  }, [state, settings]);

  return {
    frame,
    replay: {
      ...progress,
      ...settings,
      show: (atMs, isPlaying) => {
        // At once, so that the position does not jump back until the player answers.
        setProgress((before) => ({ ...before, atMs, isPlaying }));
        say(frame, { kind: 'show', atMs, isPlaying });
      },
      set: setSettings,
    },
  };
}

/**
 * Places a replay in its view: times count from when the page was opened, and the end is that of the view, which may be later
 * than the last thing that was recorded.
 */
export function placeInView(
  replay: PlayedReplay,
  { startMs, lastedMs = 0 }: { readonly startMs: number; readonly lastedMs: number | undefined },
): PlayedReplay {
  const { state, atMs, totalMs, show } = replay;
  const endMs = Math.max(startMs + totalMs, lastedMs);
  const isAtEnd = state === 'loaded' && atMs > totalMs - STEP_MS;
  return {
    ...replay,
    atMs: isAtEnd ? endMs : Math.min(startMs + atMs, endMs),
    totalMs: endMs,
    show: (at, isPlaying) => show(Math.min(Math.max(0, at - startMs), totalMs), isPlaying),
  };
}

function say(frame: RefObject<HTMLIFrameElement | null>, command: PlayerCommand): void {
  frame.current?.contentWindow?.postMessage(command, location.origin);
}

function follow(before: Progress, message: Exclude<PlayerMessage, { kind: 'ready' }>): Progress {
  switch (message.kind) {
    case 'loaded':
      return { ...before, state: 'loaded', totalMs: message.totalMs };
    case 'moved':
      return {
        ...before,
        atMs: Math.min(Math.max(0, message.atMs), before.totalMs),
        isPlaying: message.isPlaying,
      };
    case 'resized':
      return { ...before, size: { width: message.width, height: message.height } };
    case 'failed':
      return { ...before, state: 'failed' };
  }
}
