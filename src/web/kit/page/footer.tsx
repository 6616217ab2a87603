import type { ReactNode } from 'react';
import { ConsentPart } from './consent.tsx';
import { formatText } from '../texts/format-text.ts';
import styles from './footer.module.css';
import { usePage } from './page-context.ts';

/** Who runs the site and under which licence, the language switch, and the copyright text. */
export function Footer(): ReactNode {
  const { brand, compliance, languages, locale: current, texts } = usePage();
  const { operator, licence, minimumAge, responsiblePlayUrl } = compliance;
  return (
    <footer className={styles.footer} id="footer">
      <div className={styles.inside}>
        <div className={styles.compliance}>
          <span className={styles.age} aria-hidden="true">
            {minimumAge}+
          </span>
          <div>
            <p>{formatText(texts.ageLimit, { n: minimumAge })}</p>
            <p>
              {texts.operator} · <bdi>{operator}</bdi>
            </p>
            <p>
              {texts.licence} ·{' '}
              <a href={licence.url} data-silent="compliance">
                <bdi>{licence.statement}</bdi>
              </a>
            </p>
            <p>
              <a href={responsiblePlayUrl} data-silent="compliance">
                {texts.responsiblePlay}
              </a>
            </p>
            <ConsentPart part="setting" />
          </div>
        </div>
        {languages.length > 1 && (
          <nav className={styles.languages} aria-label={texts.language}>
            {languages.map(({ locale, name }) => (
              <a
                key={locale}
                href={`?lang=${locale}`}
                lang={locale}
                hrefLang={locale}
                data-silent="language"
                aria-current={locale === current ? 'true' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
        )}
        <p className={styles.copyright}>
          <bdi>{brand.copyright}</bdi>
        </p>
      </div>
    </footer>
  );
}
