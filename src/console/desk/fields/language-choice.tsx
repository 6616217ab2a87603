import { type ReactNode, useState } from 'react';
import type { Locale } from '../../../contract/site/locales.ts';
import { useLocale } from '../../locale/locale.ts';
import { nameLanguage } from '../locale/name-language.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useDesk } from '../store/desk-context.ts';
import styles from '../../parts/field.module.css';

/** The language of the site that a part of the desk shows. If the chosen one is removed, it is the default one again. */
export function useLanguageChoice(): readonly [language: Locale, choose: (language: Locale) => void] {
  const { locales, defaultLocale } = useDesk().languages;
  const [chosen, setChosen] = useState<Locale>(defaultLocale);
  return [locales.includes(chosen) ? chosen : defaultLocale, setChosen];
}

type LanguageChoiceProps = {
  readonly language: Locale;
  readonly onChoose: (language: Locale) => void;
  /** A style beside that of every field. */
  readonly className?: string | undefined;
};

/** Chooses one of the site's languages. */
export function LanguageChoice({ language, onChoose, className = '' }: LanguageChoiceProps): ReactNode {
  const texts = useDeskTexts();
  const { language: spoken } = useLocale();
  const { locales } = useDesk().languages;
  return (
    <select
      className={`${styles.input} ${className}`}
      aria-label={texts.textsLanguage}
      value={language}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {locales.map((locale) => (
        <option key={locale} value={locale}>
          {nameLanguage(locale, spoken)}
        </option>
      ))}
    </select>
  );
}
