import type { ReactNode } from 'react';
import { LOCALES, type Locale } from '../../../contract/site/locales.ts';
import { Consent } from './consent.tsx';
import { formatText } from '../texts/texts.ts';
import styles from './footer.module.css';
import { usePage } from './page-context.ts';

/** Each language by its own name. */
const LANGUAGES: Readonly<Record<Locale, string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  en: 'English',
};

/** Who runs the site and under which licence, the language switch, and the copyright text. */
export function Footer(): ReactNode {
  const { brand, compliance, locale, texts } = usePage();
  const { operator, licence, minimumAge, responsiblePlayUrl } = compliance;
  return (
    <footer className={styles.footer}>
      <div className={styles.inside}>
        <div className={styles.compliance}>
          <span className={styles.age} aria-hidden="true">
            {minimumAge}+
          </span>
          <div>
            <p>{formatText(texts.ageLimit, { n: minimumAge })}</p>
            <p>
              {texts.operator} · {operator}
            </p>
            <p>
              {texts.licence} ·{' '}
              <a href={licence.url} data-silent="compliance">
                {licence.statement}
              </a>
            </p>
            <p>
              <a href={responsiblePlayUrl} data-silent="compliance">
                {texts.responsiblePlay}
              </a>
            </p>
            <Consent part="setting" />
          </div>
        </div>
        <nav className={styles.languages} aria-label={texts.language}>
          {LOCALES.map((name) => (
            <a
              key={name}
              href={`?lang=${name}`}
              lang={name}
              hrefLang={name}
              data-silent="language"
              aria-current={name === locale ? 'true' : undefined}
            >
              {LANGUAGES[name]}
            </a>
          ))}
        </nav>
        <p className={styles.copyright}>{brand.copyright}</p>
      </div>
    </footer>
  );
}
