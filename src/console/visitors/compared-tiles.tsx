import type { ReactNode } from 'react';
import type { Compared } from '../../contract/visitors.ts';
import { useLocale } from '../locale/locale.ts';
import { Tile } from '../parts/tile.tsx';
import { describeShareTrend, describeTrend } from './describe-trend.ts';
import { useVisitorTexts } from './texts.ts';

type TileProps = { readonly id: string; readonly title: string };

/** A count, and how it compares with the period before. */
export function CountTile({ count, ...tile }: TileProps & { readonly count: Compared }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  return <Tile {...tile} figure={format.count(count.now)} note={describeTrend(count, { texts, format })} />;
}

/** A part of a count, and how that share compares with the period before. */
export function ShareTile({
  part,
  of,
  ...tile
}: TileProps & { readonly part: Compared; readonly of: Compared }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  return (
    <Tile
      {...tile}
      figure={format.part(part.now, of.now)}
      note={describeShareTrend(part, of, { texts, format })}
    />
  );
}
