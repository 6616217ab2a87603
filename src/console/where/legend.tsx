import { type ReactNode, useEffect, useRef } from 'react';
import { useLocale } from '../locale/locale.ts';
import { drawCell, readPalette } from './draw-heat-map.ts';
import type { CellGrade } from './cells.ts';
import { useScheme } from '../parts/use-scheme.ts';
import kit from '../parts/view.module.css';
import styles from './heat-map.module.css';

const GRADES: readonly CellGrade[] = ['good', 'poor', 'failing', 'none'];
const SAMPLE = { width: 20, height: 18 };

/** What the cells of the map mean. */
export function Legend(): ReactNode {
  const { texts } = useLocale();
  return (
    <ul className={`${kit.legend} ${styles.legend}`}>
      {GRADES.map((grade) => (
        <li key={grade}>
          <Sample grade={grade} />
          {texts.legend[grade]}
        </li>
      ))}
    </ul>
  );
}

function Sample({ grade }: { readonly grade: CellGrade }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useScheme();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, SAMPLE.width, SAMPLE.height);
    drawCell(context, grade, { x: 0, y: 0, ...SAMPLE, palette: readPalette(canvas.current) });
  }, [grade, scheme]);
  return <canvas ref={canvas} className={styles.sample} width={40} height={36} aria-hidden="true" />;
}
