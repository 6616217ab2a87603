import type { ReactNode } from 'react';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import styles from './hints.module.css';

/** What to do when no line serves: the main browser, or customer service. */
export function Hints(): ReactNode {
  const { links, texts } = usePage();
  return (
    <ul className={styles.hints}>
      <li>
        <ExternalLink className={styles.hint} href={links.ub} data-event="tip_ub">
          <Icon name="shield" />
          <span>{texts.hintUb}</span>
        </ExternalLink>
      </li>
      <li>
        <ExternalLink className={styles.hint} href={links.service} data-event="tip_service">
          <Icon name="service" />
          <span>{texts.hintService}</span>
        </ExternalLink>
      </li>
    </ul>
  );
}
