import type { ReactNode } from 'react';
import { VISITOR_RANGES, type VisitorRange } from '../../contract/visitors.ts';
import { Switch } from '../parts/switch.tsx';
import { useVisitorTexts } from './texts.ts';

const RANGES = Object.keys(VISITOR_RANGES) as VisitorRange[];

/** Chooses the period whose visits are shown. */
export function RangeSwitch({
  range,
  onChoose,
}: {
  readonly range: VisitorRange;
  readonly onChoose: (range: VisitorRange) => void;
}): ReactNode {
  const texts = useVisitorTexts();
  return (
    <Switch
      name={texts.range}
      choices={RANGES.map((value) => ({ value, text: texts.ranges[value] }))}
      value={range}
      onChoose={onChoose}
    />
  );
}
