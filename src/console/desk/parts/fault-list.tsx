import type { ReactNode } from 'react';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { SITE_FILE } from '../store/draft-files.ts';
import styles from './change-list.module.css';

/** What a check has found, without the line and the column of a file that nobody sees here. */
export function FaultList({ faults }: { readonly faults: readonly ToldFault[] }): ReactNode {
  const { language } = useDeskTexts();
  return (
    <ul className={styles.list}>
      {faults.map(({ code, place: { file } = { file: SITE_FILE }, sentences }) => (
        <li key={`${file} ${sentences.en}`}>
          {/* Most are about this file, and the keys in the sentence say where. */}
          {file === SITE_FILE ? '' : `${file}: `}
          {sentences[language]} <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
