import type { ReactNode } from 'react';
import type { SiteChange } from '../../../contract/desk/site-change.ts';
import kit from '../../parts/view.module.css';
import { describeChange } from '../locale/describe-change.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useDesk } from '../store/desk-context.ts';
import styles from './change-list.module.css';
import { useAnswer } from './use-answer.tsx';

/** What has changed, one sentence each. */
export function ChangeList({ changes }: { readonly changes: readonly SiteChange[] }): ReactNode {
  const texts = useDeskTexts();
  if (changes.length === 0) return <p className={kit.note}>{texts.noDifference}</p>;
  return (
    <ul className={styles.list}>
      {changes.map((change) => (
        <li key={JSON.stringify(change)}>{describeChange(change, texts)}</li>
      ))}
    </ul>
  );
}

/** What has changed from one version to another. */
export function Difference({ from, to }: { readonly from: number; readonly to: number }): ReactNode {
  const { api } = useDesk();
  const { data, instead } = useAnswer(`${from} ${to}`, () => api.compare(from, to));
  return data === undefined ? instead : <ChangeList changes={data.changes} />;
}
