import { type ReactNode, useState } from 'react';
import { BUILT_IN_LOCALES, type BuiltInLocale, type Locale } from '../../../contract/site/locales.ts';
import { EMPTIABLE_TEXT_KEYS, TEXT_KEYS, type TextKey } from '../../../contract/site/text-keys.ts';
import { BUILT_IN_TEXTS } from '../../../contract/site/texts/built-in-texts.ts';
import { Empty, Panel } from '../../parts/panel.tsx';
import { Check } from '../../parts/labelled-input.tsx';
import fieldStyles from '../../parts/field.module.css';
import { LanguageChoice, useLanguageChoice } from '../fields/language-choice.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { nameText } from '../locale/describe-change.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { type Place, SITE_FILE, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { RemoveButton } from './remove-button.tsx';
import styles from './sections.module.css';

/** Every text of the pages beside its default, in one language at a time. */
export function TextsSection(): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, languages } = useDesk();
  const [language, chooseLanguage] = useLanguageChoice();
  const [search, setSearch] = useState('');
  const [isOwnOnly, setIsOwnOnly] = useState(false);
  const defaults = BUILT_IN_TEXTS[findBuiltIn(language) ?? findBuiltIn(languages.defaultLocale) ?? 'en'];
  const shown = TEXT_KEYS.filter((key) => {
    const own = readValue(snapshot.json, placeOfText(language, key));
    if (isOwnOnly && own === undefined) return false;
    const found = `${key} ${nameText(key, texts)} ${defaults[key]} ${typeof own === 'string' ? own : ''}`;
    return found.toLowerCase().includes(search.trim().toLowerCase());
  });
  return (
    <Panel title={texts.sections.texts} note={texts.textsNote} id="desk-texts">
      <form className={styles.search} role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          className={fieldStyles.input}
          type="search"
          aria-label={texts.searchTexts}
          placeholder={texts.searchTexts}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <LanguageChoice language={language} onChoose={chooseLanguage} />
        <Check label={texts.ownTextsOnly} isChecked={isOwnOnly} onChange={setIsOwnOnly} />
      </form>
      {shown.length === 0 && <Empty>{texts.noTextFound}</Empty>}
      <div className={styles.texts}>
        {shown.map((key) => (
          <TextField key={`${language} ${key}`} language={language} textKey={key} fallback={defaults[key]} />
        ))}
      </div>
    </Panel>
  );
}

function TextField({
  language,
  textKey,
  fallback,
}: {
  readonly language: Locale;
  readonly textKey: TextKey;
  readonly fallback: string;
}): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, isViewer } = useDesk();
  const place = placeOfText(language, textKey);
  const isOwn = readValue(snapshot.json, place) !== undefined;
  // An empty text is a text of its own where the page can do without one.
  const isEmptiable = isOwn && EMPTIABLE_TEXT_KEYS.includes(textKey);
  return (
    <div className={fieldStyles.field}>
      <ValueField
        place={place}
        spec={isEmptiable ? { kind: 'text' } : { kind: 'text', fallback: '' }}
        label={nameText(textKey, texts)}
      />
      <p className={styles.default}>
        {texts.textDefault} <span lang={language}>{fallback}</span> <code>{textKey}</code>
      </p>
      {isEmptiable && !isViewer && <RemoveButton place={place} label={texts.useDefault} />}
    </div>
  );
}

function placeOfText(language: Locale, key: TextKey): Place {
  return { file: SITE_FILE, path: ['texts', language, key] };
}

/** The built-in language that is written like this one: `en` for `en-GB`, `zh-TW` for `zh-HK`. */
function findBuiltIn(language: Locale): BuiltInLocale | undefined {
  const wanted = describe(language);
  return BUILT_IN_LOCALES.find((locale) => locale === language || describe(locale) === wanted);
}

/** The language and its script. Undefined if it is no tag of a language. */
function describe(tag: Locale): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined; // The check of the draft says so.
  }
}
