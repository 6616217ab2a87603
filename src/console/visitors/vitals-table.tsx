import type { ReactNode } from 'react';
import { VITALS, VITAL_BOUNDS, type VisitorNumbers, type VitalName } from '../../contract/visitors.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import styles from './count-table.module.css';
import { CountTable } from './count-table.tsx';
import { useVisitorTexts } from './texts.ts';

/** The web vitals beside Google's bounds. */
export function VitalsTable({ numbers: { vitals } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const write = (vital: VitalName, value: number | null): string => {
    if (value === null) return NO_DATA;
    return vital === 'CLS' ? format.factor(value) : format.ms(value);
  };
  const judge = (vital: VitalName, value: number | null): string => {
    const { good, poor } = VITAL_BOUNDS[vital];
    if (value === null) return NO_DATA;
    return value <= good ? texts.good : value > poor ? texts.poor : texts.fair;
  };
  return (
    <CountTable
      id="vitals"
      title={texts.vitals}
      note={texts.vitalsNote}
      columns={[
        { name: texts.vital },
        { name: texts.now },
        { name: texts.verdict },
        { name: texts.goodPages, isWide: true },
        { name: texts.measuredPages, isWide: true },
        { name: texts.before },
      ]}
      rows={VITALS.map((vital) => {
        const { now, before } = vitals[vital];
        const { good, poor } = VITAL_BOUNDS[vital];
        return {
          key: vital,
          name: (
            <>
              {texts.vitalNames[vital]} ({vital})
              <span className={styles.bounds}>{texts.bounds(write(vital, good), write(vital, poor))}</span>
            </>
          ),
          cells: [
            write(vital, now.p75),
            judge(vital, now.p75),
            format.part(now.good, now.count),
            format.count(now.count),
            write(vital, before.p75),
          ],
        };
      })}
    />
  );
}
