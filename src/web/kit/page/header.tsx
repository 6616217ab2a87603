import type { ReactNode } from 'react';
import { LANDING_PATH } from '../../../contract/paths.ts';
import { ExternalLink } from './external-link.tsx';
import styles from './header.module.css';
import { Icon } from './icon.tsx';
import { usePage } from './page-context.ts';
import { Picture } from './picture.tsx';

/** Logo, promo image, and the button of customer service. */
export function Header({ hasPromo = true }: { readonly hasPromo?: boolean }): ReactNode {
  const { brand, images, links, texts } = usePage();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <a className={styles.home} href={LANDING_PATH} data-silent="home">
          <Picture className={styles.logo} image={images.logo} alt={brand.name} />
        </a>
        {hasPromo ? <Picture className={styles.promo} image={images.promo} alt="" /> : null}
        <ExternalLink className={styles.service} href={links.service} data-event="header_service">
          <Icon name="service" />
          {texts.service}
        </ExternalLink>
      </div>
    </header>
  );
}
