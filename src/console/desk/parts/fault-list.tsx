import type { ReactNode } from 'react';
import type { SitePlace } from '../../../contract/error-codes.ts';
import { withoutPlace } from '../../../contract/error-codes.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { SITE_FILE } from '../store/draft-files.ts';
import styles from './change-list.module.css';

type ListedFault = { readonly code: string; readonly message: string; readonly place?: SitePlace };

/**
 * The sentences of a check: those of `waypost check`, without the line and the column of a file that nobody sees here. In
 * Chinese, what kind of fault it is comes first.
 */
export function FaultList({ faults }: { readonly faults: readonly ListedFault[] }): ReactNode {
  const texts = useDeskTexts();
  return (
    <ul className={styles.list}>
      {faults.map((fault) => (
        <li key={`${fault.code} ${fault.message}`}>
          {texts.say({ code: fault.code, message: nameFile(fault) })} <code>{fault.code}</code>
        </li>
      ))}
    </ul>
  );
}

/** Most are about `site.json`, and the keys in the sentence say where. */
function nameFile(fault: ListedFault): string {
  const sentence = withoutPlace(fault).replace(/^site\.json: /, '');
  const { file = SITE_FILE } = fault.place ?? {};
  return sentence === fault.message || file === SITE_FILE ? sentence : `${file}: ${sentence}`;
}
