import { Replayer } from '@rrweb/replay';
import replayStyle from '@rrweb/replay/dist/style.css?inline';
import { cleanEvents } from './clean-events.ts';
import type { PlayerCommand, PlayerMessage, RecordedEvent } from './messages.ts';

const STYLE = `html, body { overflow: hidden; height: 100%; margin: 0; background: none; }
.replayer-wrapper { position: absolute; top: 0; left: 50%; transform-origin: 0 0; }
.replayer-wrapper iframe { border: 0; background: #ffffff; }`;
const TELL_EVERY_MS = 200;
/** Of rrweb's events: the whole page. */
const SNAPSHOT_TYPE = 2;

openPlayer(window);

/** Plays what the console hands over, and tells it how far it is. */
function openPlayer(page: Window): void {
  let replayer: Replayer | undefined;
  let isPlaying = false;
  let firstMs = 0;

  const style = page.document.createElement('style');
  style.textContent = replayStyle + STYLE;
  page.document.head.append(style);

  page.addEventListener('message', ({ data, origin, source }: MessageEvent<PlayerCommand>) => {
    if (origin !== page.location.origin || source !== page.parent) return;
    try {
      obey(data);
    } catch {
      say({ kind: 'failed' }); // This was not recorded by our recorder.
    }
  });
  page.addEventListener('resize', fit);
  page.setInterval(() => isPlaying && tell(), TELL_EVERY_MS);
  say({ kind: 'ready' });

  function obey(command: PlayerCommand): void {
    switch (command.kind) {
      case 'load':
        return load(command.events);
      case 'show':
        isPlaying = command.isPlaying;
        showAt(Math.max(firstMs, command.atMs));
        return tell();
      case 'set':
        return replayer?.setConfig({ speed: command.speed, skipInactive: command.skipsIdle });
    }
  }

  function load(events: readonly RecordedEvent[]): void {
    replayer?.destroy();
    const cleaned = cleanEvents(events, page.location.origin);
    replayer = createReplayer(cleaned, page.document.body);
    replayer.on('resize', fit);
    replayer.on('finish', () => {
      isPlaying = false;
      tell();
    });
    const { startTime, totalTime } = replayer.getMetaData();
    const snapshot = cleaned.find(({ type }) => type === SNAPSHOT_TYPE);
    // The player shows a moment by playing all events before it, so the first page is there after its snapshot.
    firstMs = (snapshot?.timestamp ?? startTime) - startTime + 1;
    say({ kind: 'loaded', totalMs: totalTime });
    showAt(firstMs);
    fit();
  }

  function showAt(ms: number): void {
    if (isPlaying) replayer?.play(ms);
    else replayer?.pause(ms);
  }

  function tell(): void {
    if (replayer) say({ kind: 'moved', atMs: replayer.getCurrentTime(), isPlaying });
  }

  /** Scales the page that was recorded so that all of it is seen. */
  function fit(): void {
    if (!replayer) return;
    const { wrapper, iframe } = replayer;
    const [width, height] = [Number(iframe.width), Number(iframe.height)];
    if (!(width > 0 && height > 0)) return;
    const scale = Math.min(1, page.innerWidth / width, page.innerHeight / height);
    wrapper.style.transform = `scale(${scale}) translateX(-50%)`;
    say({ kind: 'resized', width, height });
  }

  function say(message: PlayerMessage): void {
    page.parent.postMessage(message, page.location.origin);
  }
}

function createReplayer(events: readonly RecordedEvent[], root: HTMLElement): Replayer {
  // rrweb's own type lists every kind of event. What a recording holds is known only when it is played.
  const replayer = new Replayer(events as ConstructorParameters<typeof Replayer>[0], {
    root,
    showWarning: false,
    mouseTail: false,
    // A focused element would get a ring that the visitor did not see.
    triggerFocus: false,
  });
  // Nothing in the page can be focused or clicked: it is a picture.
  replayer.wrapper.inert = true;
  return replayer;
}
