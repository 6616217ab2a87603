import type { ReactNode } from 'react';
import type { SiteChange } from '../../../contract/desk/site-change.ts';
import { Loading } from '../../parts/panel.tsx';
import kit from '../../parts/view.module.css';
import { describeChange } from '../locale/describe-change.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useDesk } from '../store/desk-context.ts';
import { useAnswer } from '../store/use-answer.ts';
import styles from './change-list.module.css';

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
  const texts = useDeskTexts();
  const { api } = useDesk();
  const answer = useAnswer(`${from} ${to}`, () => api.compare(from, to));
  if (answer === undefined) return <Loading />;
  return answer.kind === 'done' ? <ChangeList changes={answer.data.changes} /> : <p>{texts.lost}</p>;
}
