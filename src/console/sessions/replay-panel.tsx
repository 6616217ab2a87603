import { type ReactNode, useState } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import type { ViewSummary } from '../../contract/recordings.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Check } from '../parts/labelled-input.tsx';
import { Problem } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import kit from '../parts/view.module.css';
import type { RecordedEvent } from '../player/messages.ts';
import { type Jump, listJumps } from './list-jumps.ts';
import { formatPosition } from './happenings.ts';
import styles from './replay-panel.module.css';
import { Mark } from './strip.tsx';
import { useSessionTexts } from './texts.ts';
import { usePresentImages } from './use-present-images.ts';
import { type PlayedReplay, STEP_MS, placeInView, useReplay } from './use-replay.ts';

const SPEEDS = ['1', '2', '4', '8'] as const;

type ReplayProps = {
  readonly session: string;
  readonly view: ViewSummary;
  /** How long the view lasted, if that is known. Its replay may end before. */
  readonly lastedMs: number | undefined;
};

/** The replay of a view. It is loaded when somebody asks for it, because the server notes who watches. */
export function ReplayPanel({ session, view, lastedMs }: ReplayProps): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  const [isOpen, setIsOpen] = useState(false);
  const { kept, made } = view.segments;
  if (!isOpen) {
    return (
      <div>
        <button className={buttons.main} type="button" onClick={() => setIsOpen(true)}>
          {texts.openReplay}
        </button>
      </div>
    );
  }
  return (
    <>
      {kept < made && (
        <p className={kit.notice}>{texts.lost(format.count(made - kept), format.count(made))}</p>
      )}
      {view.isWhole === false && <p className={kit.notice}>{texts.noEnd}</p>}
      <Player session={session} view={view} lastedMs={lastedMs} />
    </>
  );
}

function Player({ session, view, lastedMs }: ReplayProps): ReactNode {
  const texts = useSessionTexts();
  const locale = useLocale();
  const path = `${RECORDING_PATHS.segments}/${session}/${view.id}`;
  // Once: a later version of the overview would start it anew.
  const { data, hasFailed } = useView<{ readonly events: readonly RecordedEvent[] }>(path, 1);
  const { frame, replay: played } = useReplay(data?.events);
  // Its times are those of the view, which began before its recorder did.
  const startMs = Math.max(0, (data?.events[0]?.timestamp ?? view.openedAt) - view.openedAt);
  const replay = placeInView(played, { startMs, lastedMs });
  const hasPresentImages = usePresentImages(data?.events);
  const { state, size } = replay;
  // Before, it is not known how long the replay is.
  const jumps = state === 'loaded' && data !== undefined ? listJumps(data.events, view) : [];
  return (
    <div className={kit.stack}>
      {hasPresentImages && <p className={kit.notice}>{texts.presentImages}</p>}
      <iframe
        className={styles.frame}
        ref={frame}
        src={RECORDING_PATHS.player}
        title={texts.player}
        // Never larger than the page that was recorded, so that nothing is left of the frame around it.
        style={{
          width: `min(100% - 2px, ${size.width}px, ${(75 * size.width) / size.height}vh)`,
          aspectRatio: `${size.width} / ${size.height}`,
        }}
      />
      {state === 'failed' || hasFailed ? (
        <Problem text={hasFailed ? locale.texts.viewFailed : texts.playerFailed} />
      ) : (
        <Controls replay={replay} jumps={jumps} />
      )}
    </div>
  );
}

type ControlsProps = { readonly replay: PlayedReplay; readonly jumps: readonly Jump[] };

function Controls({ replay, jumps }: ControlsProps): ReactNode {
  const texts = useSessionTexts();
  const { state, atMs, totalMs, isPlaying, speed, skipsIdle, show, set } = replay;
  const isAtEnd = state === 'loaded' && atMs > totalMs - STEP_MS;
  const play = isAtEnd ? texts.playAgain : texts.play;
  const toggle = (): void => show(isAtEnd && !isPlaying ? 0 : atMs, !isPlaying);
  return (
    <>
      <PositionBar replay={replay} jumps={jumps} />
      <div className={styles.controls}>
        <button
          className={`${buttons.main} ${styles.play}`}
          type="button"
          disabled={state !== 'loaded'}
          onClick={toggle}
        >
          {isPlaying ? texts.pause : play}
        </button>
        <span className={styles.position}>
          {texts.positionOf(formatPosition(atMs), formatPosition(totalMs))}
        </span>
        <Switch
          name={texts.speed}
          choices={SPEEDS.map((value) => ({ value, text: `${value}×` }))}
          value={speed}
          onChoose={(chosen) => set({ speed: chosen, skipsIdle })}
        />
        <Check
          label={texts.skipIdle}
          isChecked={skipsIdle}
          onChange={(isChecked) => set({ speed, skipsIdle: isChecked })}
        />
      </div>
      {jumps.length > 0 && (
        <ul className={styles.jumps} aria-label={texts.jumps} tabIndex={0}>
          {jumps.map(({ kind, atMs: jumpMs }, index) => (
            // They never change.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <button className={buttons.button} type="button" onClick={() => show(jumpMs, isPlaying)}>
                <Mark kind={kind} /> {texts.happenings[kind]} {formatPosition(jumpMs)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Where the replay is, with a mark for each jump. */
function PositionBar({ replay, jumps }: ControlsProps): ReactNode {
  const texts = useSessionTexts();
  const { state, atMs, totalMs, isPlaying, show } = replay;
  return (
    <div className={styles.bar}>
      {jumps.map(({ kind, atMs: jumpMs }, index) => (
        // The list below has the same buttons for people who use no pointer.
        <button
          // They never change.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={styles.mark}
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          style={{ left: `${(jumpMs / Math.max(1, totalMs)) * 100}%` }}
          onClick={() => show(jumpMs, isPlaying)}
        >
          <Mark kind={kind} />
        </button>
      ))}
      <input
        className={styles.range}
        type="range"
        min={0}
        max={Math.ceil(totalMs / STEP_MS) * STEP_MS}
        step={STEP_MS}
        // A whole number of steps: the browser would round anything else, and React would take that for a change.
        value={Math.round(atMs / STEP_MS) * STEP_MS}
        disabled={state !== 'loaded'}
        aria-label={texts.position}
        aria-valuetext={texts.positionOf(formatPosition(atMs), formatPosition(totalMs))}
        onChange={({ currentTarget }) => show(Number(currentTarget.value), isPlaying)}
      />
    </div>
  );
}
