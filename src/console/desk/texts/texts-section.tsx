import { type ReactNode, useState } from 'react';
import { TYPE_REDIRECT_PATH } from '../../../contract/paths.ts';
import { BUILT_IN_LOCALES, type BuiltInLocale, type Locale } from '../../../contract/site/locales.ts';
import { EMPTIABLE_TEXT_KEYS, TEXT_KEYS, type TextKey } from '../../../contract/site/text-keys.ts';
import { BUILT_IN_TEXTS } from '../../../contract/site/texts/built-in-texts.ts';
import { Empty, Panel } from '../../parts/panel.tsx';
import { Check } from '../../parts/labelled-input.tsx';
import fieldStyles from '../../parts/field.module.css';
import kit from '../../parts/view.module.css';
import { LanguageChoice, useLanguageChoice } from '../fields/language-choice.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { LivePreview, type PreviewPlace } from '../preview/live-preview.tsx';
import { Foldable, FoldableList } from '../parts/foldable.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';
import { type DraftJson, type Place, SITE_FILE, listTargets, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { type TextGroup, listTextGroups } from './text-groups.ts';
import { TEXT_NAMES } from './text-names.ts';
import styles from './texts-section.module.css';

/** Longer texts get a field of several rows. */
const LONG_CHARS = 60;

/** Every text of the pages, by where it stands, in one language at a time, beside the page itself. */
export function TextsSection(): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, languages, findFaults } = useDesk();
  const [language, chooseLanguage] = useLanguageChoice();
  const [search, setSearch] = useState('');
  const [isOwnOnly, setIsOwnOnly] = useState(false);
  const [edited, setEdited] = useState<TextGroup>();
  const names = TEXT_NAMES[texts.language];
  const defaults = BUILT_IN_TEXTS[findBuiltIn(language) ?? findBuiltIn(languages.defaultLocale) ?? 'en'];
  const isSearched = isOwnOnly || search.trim() !== '';
  const readOwn = (key: TextKey) => readValue(snapshot.json, placeOfText(language, key));
  const shown = TEXT_KEYS.filter((key) => {
    const written = readOwn(key);
    if (isOwnOnly && written === undefined) return false;
    const said = typeof written === 'string' ? written : '';
    const found = `${key} ${names.texts[key]} ${defaults[key]} ${said}`;
    return found.toLowerCase().includes(search.trim().toLowerCase());
  });
  const countOwn = ({ keys }: TextGroup): number => keys.filter((key) => readOwn(key) !== undefined).length;
  return (
    <div className={groups.beside}>
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
        <FoldableList>
          {listTextGroups(shown).map((group) => (
            <Foldable
              key={`${group.name} ${isSearched}`}
              summary={
                <>
                  <h3 className={styles.heading}>{names.groups[group.name]}</h3>
                  <span className={`${kit.note} ${styles.count}`}>
                    {texts.textCount(group.keys.length, countOwn(group))}
                  </span>
                </>
              }
              isOpen={
                isSearched || group.keys.some((key) => findFaults(placeOfText(language, key)).length > 0)
              }
              onFocus={() => setEdited(group)}
            >
              {group.keys.map((key) => (
                <TextField
                  key={`${language} ${key}`}
                  language={language}
                  textKey={key}
                  label={names.texts[key]}
                  fallback={defaults[key]}
                />
              ))}
            </Foldable>
          ))}
        </FoldableList>
      </Panel>
      <LivePreview
        language={language}
        place={findPlace(edited, snapshot.json)}
        note={
          edited !== undefined && edited.place.page === undefined ? texts.livePreviewElsewhere : undefined
        }
      />
    </div>
  );
}

/** Where a group is shown. What is only shown at certain moments leaves the page where it is. */
function findPlace(group: TextGroup | undefined, json: DraftJson): PreviewPlace {
  switch (group?.place.page) {
    case 'target': {
      const [target] = listTargets(json);
      return { path: target === undefined ? '/' : `${TYPE_REDIRECT_PATH}/${target}` };
    }
    case 'not-found':
      return { path: '/not-found' };
    case 'landing':
    case undefined:
      return { path: '/', anchor: group?.place.anchor };
  }
}

function TextField({
  language,
  textKey,
  label,
  fallback,
}: {
  readonly language: Locale;
  readonly textKey: TextKey;
  readonly label: string;
  readonly fallback: string;
}): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, isViewer } = useDesk();
  const place = placeOfText(language, textKey);
  const written = readValue(snapshot.json, place);
  // An empty text is a text of its own where the page can do without one.
  const isEmptiable = written !== undefined && EMPTIABLE_TEXT_KEYS.includes(textKey);
  const kind = fallback.length > LONG_CHARS ? 'long-text' : 'text';
  return (
    <div className={fieldStyles.field}>
      <ValueField
        place={place}
        spec={isEmptiable ? { kind } : { kind, fallback: '', placeholder: fallback }}
        label={label}
      />
      {written !== undefined && (
        <p className={styles.default}>
          {texts.textDefault} <span lang={language}>{fallback}</span>
        </p>
      )}
      {isEmptiable && !isViewer && <RemoveButton place={place} label={texts.useDefault} isHarmless />}
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
