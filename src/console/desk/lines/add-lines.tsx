import { type ReactNode, useId, useState } from 'react';
import { useTyped } from '../fields/use-typed.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import fieldStyles from '../../parts/field.module.css';
import buttons from '../../parts/buttons.module.css';
import { SITE_FILE } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { describeHost } from './describe-host.ts';
import { type PlacedLine, addLines, readPastedLines } from './line-entries.ts';
import styles from './lines-section.module.css';

const NAME = 'add lines';

/** What became of the last list, without those that were added. */
type Pasted = {
  readonly repeated: readonly string[];
  /** One sentence for each entry. */
  readonly unreadable: readonly string[];
};

/** Adds one line, or a pasted list of them. What cannot be read stays in the field. */
export function AddLines({ lines }: { readonly lines: readonly PlacedLine[] }): ReactNode {
  const texts = useDeskTexts();
  const { store } = useDesk();
  const [last, setLast] = useState<Pasted>();
  const id = useId();
  const { value: text, problem } = useTyped(NAME, '');
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label className={fieldStyles.label} htmlFor={id}>
        {texts.pasteLines}
      </label>
      <textarea
        className={fieldStyles.input}
        id={id}
        rows={3}
        spellCheck={false}
        autoCapitalize="none"
        placeholder={texts.hostHint}
        value={text}
        aria-describedby={`${id}-result`}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <div className={fieldStyles.fault} id={`${id}-result`} role="status">
        {problem !== undefined && <p>{problem}</p>}
        {last !== undefined && last.unreadable.length > 0 && (
          <>
            <p>{texts.unreadable(last.unreadable.length)}</p>
            <ul>
              {last.unreadable.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </>
        )}
        {last !== undefined && last.repeated.length > 0 && (
          <p>{texts.alreadyThere(last.repeated.join(', '))}</p>
        )}
      </div>
      <div>
        <button className={buttons.button} disabled={text.trim() === ''}>
          {texts.addLines}
        </button>
      </div>
    </form>
  );

  function type(value: string): void {
    if (value === '') store.forget(NAME);
    else store.type(NAME, value);
  }

  async function add(): Promise<void> {
    const pasted = readPastedLines(text, lines);
    setLast({
      repeated: pasted.repeated,
      unreadable: await Promise.all(pasted.unreadable.map((entry) => describeHost(entry, texts))),
    });
    if (pasted.hosts.length > 0) {
      const isSaved = await store.save(NAME, [
        { kind: 'edit', file: SITE_FILE, makeEdits: (json) => addLines(json, pasted.hosts) },
      ]);
      if (!isSaved) return;
    }
    // What was typed meanwhile stays.
    const { value: now = text } = store.getSnapshot().typed[NAME] ?? {};
    if (now === text) type(pasted.unreadable.join('\n'));
  }
}
