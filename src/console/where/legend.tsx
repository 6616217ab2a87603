import { type ReactNode, useEffect, useRef } from 'react';
import { useLocale } from '../locale/locale.ts';
import { useScheme } from '../parts/use-scheme.ts';
import kit from '../parts/view.module.css';
import { type CellBox, drawCell, readPalette } from './draw-heat-map.ts';
import styles from './heat-map.module.css';
import { useWhereTexts } from './texts.ts';

type SampleCell = Pick<CellBox, 'percent' | 'isFailing' | 'x' | 'width'>;

/** From nobody to all. */
const SCALE = Array.from({ length: 25 }, (_, step): SampleCell => ({
  percent: Math.round((100 * step) / 24),
  isFailing: false,
  x: step * 8,
  width: 8,
}));
const FAILING: readonly SampleCell[] = [{ percent: 20, isFailing: true, x: 0, width: 20 }];
const NONE: readonly SampleCell[] = [{ percent: 255, isFailing: false, x: 0, width: 20 }];

/** What the cells of the map mean. */
export function Legend(): ReactNode {
  const texts = useWhereTexts();
  const { format } = useLocale();
  return (
    <ul className={`${kit.legend} ${styles.legend}`}>
      <li>
        {texts.legend.reach} {format.percent(0)}
        <Sample className={styles.scale} cells={SCALE} width={200} height={12} />
        {format.percent(1)}
      </li>
      <li>
        <Sample className={styles.sample} cells={FAILING} width={20} height={18} />
        {texts.legend.failing}
      </li>
      <li>
        <Sample className={styles.sample} cells={NONE} width={20} height={18} />
        {texts.legend.none}
      </li>
    </ul>
  );
}

function Sample({
  className,
  cells,
  width,
  height,
}: {
  readonly className: string | undefined;
  readonly cells: readonly SampleCell[];
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useScheme();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const palette = readPalette(canvas.current);
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, width, height);
    for (const cell of cells) drawCell(context, { ...cell, y: 0, height, hasNumber: false, palette });
  }, [cells, width, height, scheme]);
  return (
    <canvas ref={canvas} className={className} width={2 * width} height={2 * height} aria-hidden="true" />
  );
}
