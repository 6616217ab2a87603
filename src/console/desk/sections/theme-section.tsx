import { type ReactNode, useId } from 'react';
import {
  COLOUR,
  DEFAULT_COLOURS,
  MIN_CONTRAST,
  contrast,
  defaultTextOn,
} from '../../../contract/site/colours.ts';
import { useLocale } from '../../locale/locale.ts';
import { Panel } from '../../parts/panel.tsx';
import fieldStyles from '../../parts/field.module.css';
import { useTyped } from '../fields/use-typed.ts';
import { LivePreview } from '../preview/live-preview.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import buttons from '../../parts/buttons.module.css';
import { editsFor } from '../store/changes.ts';
import { type DraftJson, SITE_FILE, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import groups from '../parts/groups.module.css';
import styles from './theme-section.module.css';

const COLOURS = ['accent', 'background', 'text'] as const;

type ColourName = (typeof COLOURS)[number];
type Theme = Readonly<Record<ColourName, string>>;

const NAME = 'theme';

/** The colours of the pages. All three are saved at once, because they must fit each other. */
export function ThemeSection(): ReactNode {
  const texts = useDeskTexts();
  const { texts: consoleTexts } = useLocale();
  const { store, snapshot, languages, isViewer } = useDesk();
  // A colour that was not changed is not in it.
  const { value: changed, isTyped, problem } = useTyped<Partial<Theme>>(NAME, {});
  const theme = completeTheme(snapshot.json, changed);
  return (
    <div className={groups.beside}>
      <Panel title={texts.sections.theme} note={texts.themeNote} id="desk-theme">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <div className={styles.colours}>
            {COLOURS.map((name) => (
              <ColourField
                key={name}
                name={name}
                theme={theme}
                isLocked={isViewer}
                onChange={(colour) => store.type(NAME, { ...changed, [name]: colour })}
              />
            ))}
          </div>
          {COLOURS.every((name) => COLOUR.test(theme[name])) && (
            <p className={styles.sample} style={{ background: theme.background, color: theme.text }}>
              {texts.sample}{' '}
              <strong style={{ color: theme.accent }}>{texts.fields['theme.accent'].label}</strong>
            </p>
          )}
          <p className={fieldStyles.fault} role="alert">
            {problem}
          </p>
          {!isViewer && (
            <p className={buttons.row}>
              <button
                className={buttons.main}
                disabled={!isTyped || !COLOURS.every((name) => COLOUR.test(theme[name]))}
              >
                {texts.save}
              </button>
              {isTyped && (
                <button className={buttons.button} type="button" onClick={() => store.forget(NAME)}>
                  {consoleTexts.cancel}
                </button>
              )}
            </p>
          )}
        </form>
      </Panel>
      <LivePreview language={languages.defaultLocale} />
    </div>
  );

  function save(): void {
    void store.save(NAME, [
      {
        kind: 'edit',
        file: SITE_FILE,
        makeEdits: (json) =>
          Object.entries(changed).flatMap(([name, colour]) =>
            editsFor(json, { file: SITE_FILE, path: ['theme', name] }, colour),
          ),
      },
    ]);
  }
}

function ColourField({
  name,
  theme,
  isLocked,
  onChange,
}: {
  readonly name: ColourName;
  readonly theme: Theme;
  readonly isLocked: boolean;
  readonly onChange: (colour: string) => void;
}): ReactNode {
  const texts = useDeskTexts();
  const id = useId();
  const { label } = texts.fields[`theme.${name}`];
  const colour = theme[name];
  const found = measureContrast(theme, name);
  const isInvalid = !COLOUR.test(colour);
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.colour}>
        <input
          type="color"
          aria-label={label}
          disabled={isLocked}
          value={COLOUR.test(colour) ? colour : '#000000'}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <input
          className={fieldStyles.input}
          id={id}
          spellCheck={false}
          disabled={isLocked}
          aria-invalid={isInvalid || undefined}
          aria-describedby={`${id}-note`}
          value={colour}
          onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        />
      </div>
      <p className={isInvalid ? fieldStyles.fault : fieldStyles.help} id={`${id}-note`}>
        {COLOUR.test(colour)
          ? found && texts.contrast(found.ratio.toFixed(1), String(found.needed), found.isEnough)
          : texts.noColour}
      </p>
    </div>
  );
}

type Contrast = { readonly ratio: number; readonly needed: number; readonly isEnough: boolean };

/** Compares a colour with the background. Undefined for the background itself, and if one of the two is no colour. */
function measureContrast(theme: Theme, name: ColourName): Contrast | undefined {
  if (name === 'background' || !COLOUR.test(theme[name]) || !COLOUR.test(theme.background)) return undefined;
  const ratio = contrast(theme[name], theme.background);
  const needed = MIN_CONTRAST[name];
  return { ratio, needed, isEnough: ratio >= needed };
}

/** All three colours, as the pages would have them: those that were changed, else those of the file, else the defaults. */
function completeTheme(json: DraftJson, changed: Partial<Theme>): Theme {
  const find = (name: ColourName): string | undefined => {
    const colour = changed[name] ?? readValue(json, { file: SITE_FILE, path: ['theme', name] });
    return typeof colour === 'string' ? colour : undefined;
  };
  const background = find('background') ?? DEFAULT_COLOURS.background;
  return {
    accent: find('accent') ?? DEFAULT_COLOURS.accent,
    background,
    text: find('text') ?? defaultTextOn(background),
  };
}
