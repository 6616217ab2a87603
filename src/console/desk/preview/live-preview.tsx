import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { DeskPreview, JsonEdit } from '../../../contract/desk/desk.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import type { Answer } from '../../live/call-server.ts';
import { Switch } from '../../parts/switch.tsx';
import kit from '../../parts/view.module.css';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useDesk } from '../store/desk-context.ts';
import { type Follower, createFollower } from './create-follower.ts';
import { listLiveEdits } from './list-live-edits.ts';
import styles from './live-preview.module.css';

/** What the preview shows: a page of the site, and a place on it. */
export type PreviewPlace = { readonly path: string; readonly anchor?: string | undefined };

type LivePreviewProps = {
  readonly language: string;
  readonly place?: PreviewPlace;
  readonly note?: string | undefined;
};

/** Short, because the call, the rendering and the browser take longer than this. */
const WAIT_MS = 80;
const LANDING: PreviewPlace = { path: '/' };
/** On a narrower screen the preview lies over the form, so it is closed at first. */
const HAS_ROOM = '(min-width: 80rem)';
const SIZES = ['phone', 'desktop'] as const;

/** The real page of the draft, with what is being typed, a moment after each key stroke. */
export function LivePreview(props: LivePreviewProps): ReactNode {
  const texts = useDeskTexts();
  const { hasPreview } = useDesk();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(matchMedia(HAS_ROOM).matches), []);
  if (!hasPreview) return null;
  return (
    <details
      className={styles.live}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={styles.title}>{texts.livePreview}</summary>
      {isOpen && <LivePage {...props} />}
    </details>
  );
}

function LivePage({ language, place = LANDING, note }: LivePreviewProps): ReactNode {
  const texts = useDeskTexts();
  const [size, setSize] = useState<(typeof SIZES)[number]>('phone');
  const { url, faults, hasFailed } = useLivePage(language, place);
  return (
    <div className={styles.page}>
      <Switch
        name={texts.livePreview}
        choices={SIZES.map((value) => ({ value, text: texts.previewSizes[value] }))}
        value={size}
        onChoose={setSize}
      />
      <div className={kit.note} role="status">
        {note !== undefined && <p>{note}</p>}
        {hasFailed && <p>{texts.livePreviewFailed}</p>}
        {faults.length > 0 && <p>{texts.livePreviewFaults}</p>}
        {faults.map(({ sentences }) => (
          <p key={sentences.en}>{sentences[texts.language]}</p>
        ))}
      </div>
      <Frames size={size} url={url} />
    </div>
  );
}

type ShownPage = {
  /** Undefined until there is a page to show. */
  readonly url: string | undefined;
  readonly faults: readonly ToldFault[];
  readonly hasFailed: boolean;
};

type Wish = { readonly edits: readonly JsonEdit[]; readonly path: string };

/** The page of the draft with what is being typed. While that has a fault, it stays as it was. */
function useLivePage(language: string, { path, anchor }: PreviewPlace): ShownPage {
  const { api, snapshot } = useDesk();
  const [page, setPage] = useState<ShownPage>({ url: undefined, faults: [], hasFailed: false });
  const { draft, json, typed } = snapshot;
  // Each change of the draft is shown anew.
  const version = `${draft?.current} ${draft?.draft?.hash}`;
  const edits = useMemo(() => JSON.stringify(listLiveEdits({ json, typed })), [json, typed]);
  const follower = useRef<Follower<Wish>>(undefined);
  useEffect(() => {
    const started = createFollower<Wish, Answer<DeskPreview>>({
      ask: (wish) => api.preview(wish),
      onAnswer: (answer) =>
        setPage((before) =>
          answer.kind === 'done'
            ? {
                url: answer.data.faults.length === 0 ? answer.data.url : before.url,
                faults: answer.data.faults,
                hasFailed: false,
              }
            : { ...before, hasFailed: true },
        ),
      waitMs: WAIT_MS,
    });
    follower.current = started;
    return started.stop;
  }, [api]);
  useEffect(() => {
    // The line above wrote it.
    follower.current?.want({ edits: JSON.parse(edits) as JsonEdit[], path });
  }, [edits, path, version]);
  return { ...page, url: page.url === undefined ? undefined : completeUrl(page.url, language, anchor) };
}

/** The address of a previewed page in one language, and of a place on it. */
export function completeUrl(url: string, language: string, anchor = ''): string {
  const complete = new URL(url);
  complete.searchParams.set('lang', language);
  complete.hash = anchor;
  return complete.href;
}

type FramesProps = { readonly size: (typeof SIZES)[number]; readonly url: string | undefined };

/** A frame, and a hidden one in which the next page loads: nobody sees a page come up. */
function Frames({ size, url }: FramesProps): ReactNode {
  const texts = useDeskTexts();
  const [shown, setShown] = useState<string>();
  const loading = url === shown ? [] : [url];
  return (
    <div className={styles.frames} data-size={size} aria-busy={loading.length > 0}>
      {[shown, ...loading].map(
        (each) =>
          each !== undefined && (
            <iframe
              key={each}
              title={texts.livePreview}
              src={each}
              data-next={each === shown ? undefined : true}
              tabIndex={each === shown ? undefined : -1}
              aria-hidden={each === shown ? undefined : true}
              onLoad={() => setShown(each)}
            />
          ),
      )}
    </div>
  );
}
