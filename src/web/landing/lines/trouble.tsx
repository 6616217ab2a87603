import type { ReactNode } from 'react';
import controls from '../../kit/page/controls.module.css';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import styles from './trouble.module.css';

type TroubleProps = {
  readonly title: string;
  /** What may be the reason, and what to do. */
  readonly text?: string;
  /** The first way on, before customer service and the brand's browser. */
  readonly children?: ReactNode;
};

/** Says that no line can be used, and offers other ways in. */
export function Trouble({ title, text, children }: TroubleProps): ReactNode {
  const { downloads, links, texts } = usePage();
  return (
    <div className={styles.trouble} role="alert">
      <p className={styles.title}>{title}</p>
      {text !== undefined && <p>{text}</p>}
      <div className={styles.ways}>
        {children}
        <ExternalLink className={controls.pill} href={links.service} data-event="tip_service">
          <Icon name="service" />
          {texts.service}
        </ExternalLink>
        {downloads.includes('ub') && (
          <ExternalLink className={controls.pill} href={links.ub} data-event="tip_ub">
            <Icon name="browser" />
            {texts.ubTab}
          </ExternalLink>
        )}
      </div>
    </div>
  );
}
