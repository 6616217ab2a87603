import { type ReactNode, useId } from 'react';
import { parseHost } from '../../../contract/site/parse-host.ts';
import { formatHost } from '../../format/format-names.ts';
import buttons from '../../parts/buttons.module.css';
import fieldStyles from '../../parts/field.module.css';
import { focusOn } from '../../parts/find-neighbour.ts';
import { useTyped } from '../fields/use-typed.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useDesk } from '../store/desk-context.ts';
import { SITE_FILE } from '../store/draft-files.ts';
import { describeHost } from './describe-host.ts';
import { type LineEntry, editLine, keepScheme, nameForm } from './line-entries.ts';
import styles from './lines-section.module.css';

/** One field: the new host takes the place of the old one, and keeps its settings. */
export function ReplaceForm({
  line,
  onPublish,
}: {
  readonly line: LineEntry;
  readonly onPublish: () => void;
}): ReactNode {
  const texts = useDeskTexts();
  const { store } = useDesk();
  const id = useId();
  const name = nameForm('replace', line.host);
  const { value: text, problem } = useTyped(name, '');
  const replace = useReplace(line);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void replace(text, event.currentTarget).then((isReplaced) => isReplaced && onPublish());
      }}
    >
      <label className={fieldStyles.label} htmlFor={id}>
        {texts.replaceWith(formatHost(line.host))}
      </label>
      <div className={styles.inline}>
        <input
          className={fieldStyles.input}
          id={id}
          // The operator has just asked for this field.
          autoFocus
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          inputMode="url"
          placeholder={texts.hostHint}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-fault`}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            if (value === '') store.forget(name);
            else store.type(name, value);
          }}
        />
        <div className={buttons.row}>
          <button className={buttons.main} disabled={text.trim() === ''}>
            {texts.replaceAndPublish}
          </button>
          <button
            className={buttons.button}
            type="button"
            disabled={text.trim() === ''}
            onClick={({ currentTarget }) => void replace(text, currentTarget)}
          >
            {texts.replaceInDraft}
          </button>
        </div>
      </div>
      <p className={fieldStyles.fault} id={`${id}-fault`} role="alert">
        {problem}
      </p>
    </form>
  );
}

/** Replaces the line by another host. The list around the form gets the focus. Resolves with whether it is replaced. */
function useReplace(line: LineEntry): (text: string, form: Element) => Promise<boolean> {
  const texts = useDeskTexts();
  const { store } = useDesk();
  const name = nameForm('replace', line.host);

  return async (text, form) => {
    const entry = text.trim();
    if (parseHost(entry).kind === 'refused') {
      store.type(name, text, { message: await describeHost(entry, texts) });
      return false;
    }
    const list = form.closest('ol');
    const host = keepScheme(entry, line.host);
    const isSaved = await store.save(name, [
      {
        kind: 'edit',
        file: SITE_FILE,
        makeEdits: (json) => editLine(json, line.host, (now) => ({ ...now, host })),
      },
    ]);
    if (!isSaved) return false;
    passOnSettings(host);
    // This form is gone with the old line.
    focusOn(list?.querySelector(`[data-line="${formatHost(host)}"]`) ?? null);
    return true;
  };

  /** What was typed as settings of the old line, and is not saved, is kept for the new one. */
  function passOnSettings(host: string): void {
    const before = nameForm('settings', line.host);
    const settings = store.getSnapshot().typed[before];
    if (settings === undefined) return;
    store.forget(before);
    store.type(nameForm('settings', host), settings.value);
  }
}
