import { DESKTOP_MEDIA } from '../../../contract/limits.ts';
import type { Row } from '../../../engine/board/describe-rows.ts';
import type { HandOver } from '../create-idle-hand-over.ts';
import { gradeSpeed } from './grade-speed.ts';

/** Where the light of the banner is, as parts of the image: see `theme.beams` in docs/operate.md. */
const STAR = { phone: [0.6, 0.33], desktop: [0.717, 0.315] } as const;
const GROW_MS = 600;
const LIGHT_MS = 1_400;
const FLARE_MS = 1_200;
const BRIGHT_ENDS = 'linear-gradient(90deg,transparent,#000 15%,#0003 45% 80%,#000)';

/**
 * Leads a beam of light from the banner to each row that is measured. Each lights in the colour of its grade when its answer
 * arrives, and at the end that of the fastest row flares. Only opacity and transform move, so that the main thread has no work.
 */
export function startBeams(page: Window & typeof globalThis, { board, links }: HandOver): void {
  const { document } = page;
  let beams: readonly Beam[] = [];
  const lit = new Set<number>();

  function follow(): void {
    const { rows } = board.getSnapshot();
    const open = rows.filter((row) => gradeSpeed(row.speed) === 'pending');
    // A new race.
    if (open.length === rows.length && lit.size > 0) clear();
    const areShown = links.getSnapshot().kind !== 'failed';
    if (rows.length === 0 || !areShown || document.hidden) return clear();
    if (lit.size === rows.length) return;
    if (beams.length === 0) beams = drawBeams(page, rows);
    for (const row of rows) {
      if (open.includes(row) || lit.has(row.number)) continue;
      lit.add(row.number);
      beams[row.number - 1]?.light(gradeSpeed(row.speed));
    }
    if (open.length > 0) return;
    const winner = rows.find(({ isFastest }) => isFastest);
    if (winner) beams[winner.number - 1]?.flare();
    page.setTimeout(removeAll, LIGHT_MS, beams);
  }

  function clear(): void {
    removeAll(beams);
    beams = [];
    lit.clear();
  }

  // Where the rows are somewhere else, the beams would end nowhere.
  page.addEventListener('resize', () => removeAll(beams));
  document.addEventListener('visibilitychange', follow);
  board.subscribe(follow);
  links.subscribe(follow);
  follow();
}

type Beam = {
  readonly light: (grade: string) => void;
  readonly flare: () => void;
  readonly remove: () => void;
};

function removeAll(beams: readonly Beam[]): void {
  for (const { remove } of beams) remove();
}

function drawBeams(page: Window & typeof globalThis, rows: readonly Row[]): readonly Beam[] {
  const image = page.document.querySelector<HTMLImageElement>('main picture img');
  if (!image?.naturalWidth) return [];
  const isDesktop = page.matchMedia(DESKTOP_MEDIA).matches;
  const [left, top] = findStar(image, STAR[isDesktop ? 'desktop' : 'phone']);
  return rows.flatMap(({ number }) => {
    const row = page.document.querySelector(`[data-row="${number}"]`)?.getBoundingClientRect();
    if (!row) return [];
    // On a phone the rows are below each other: the beams fan out beside the texts, and pass behind the rows. On a desktop they end above the rows.
    const [part, layer] = isDesktop ? [0, 2] : [0.15 * (number - 1), -1];
    const isMirrored = page.document.dir === 'rtl';
    const [x, y] = [row.left + row.width * (0.5 + (isMirrored ? -part : part)) - left, row.top - top];
    const start = [left + page.scrollX, top + page.scrollY] as const;
    return drawBeam(page.document, { start, length: Math.hypot(x, y), angle: Math.atan2(y, x), layer });
  });
}

/** The place of the star in the window. The image covers its box, and its edges are cut off. */
function findStar(image: HTMLImageElement, [x, y]: readonly [number, number]): readonly [number, number] {
  const box = image.getBoundingClientRect();
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.max(box.width / naturalWidth, box.height / naturalHeight);
  return [
    box.left + box.width / 2 + (x - 0.5) * naturalWidth * scale,
    box.top + box.height / 2 + (y - 0.5) * naturalHeight * scale,
  ];
}

/** Where a beam lies. */
type BeamPlace = {
  readonly start: readonly [number, number];
  readonly length: number;
  readonly angle: number;
  readonly layer: number;
};

function drawBeam(document: Document, { start: [left, top], length, angle, layer }: BeamPlace): Beam {
  const element = document.createElement('div');
  const place = `rotate(${angle}rad)`;
  Object.assign(element.style, {
    position: 'absolute',
    left: `${left}px`,
    top: `${top}px`,
    zIndex: layer,
    width: `${length}px`,
    height: '2px',
    background: 'currentcolor',
    // Bright at both ends, and so weak between them that what is written there can be read.
    maskImage: BRIGHT_ENDS,
    webkitMaskImage: BRIGHT_ENDS,
    color: 'var(--accent-text)',
    opacity: 0,
    // Light over a white text leaves it white.
    mixBlendMode: 'screen',
    pointerEvents: 'none',
    transform: place,
    transformOrigin: '0 50%',
  });
  document.body.append(element);
  const move = (frames: Keyframe[], duration: number): Animation =>
    element.animate(frames, { duration, easing: 'ease-out', fill: 'forwards' });
  move(
    [
      { transform: `${place} scaleX(0)`, opacity: 0 },
      { transform: place, opacity: 0.35 },
    ],
    GROW_MS,
  );
  return {
    light(grade) {
      element.style.color = `var(--${grade})`;
      move([{ opacity: 1 }, { opacity: 0 }], LIGHT_MS);
    },
    flare() {
      move(
        [
          { opacity: 1, transform: place },
          { opacity: 1, transform: `${place} scaleY(4)`, offset: 0.3 },
          { opacity: 0, transform: place },
        ],
        FLARE_MS,
      );
    },
    remove: () => element.remove(),
  };
}
