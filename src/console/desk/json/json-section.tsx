import { type ReactNode, Suspense, lazy, useState } from 'react';
import { writePlaced } from '../../../contract/faults/site-fault.ts';
import { Loading, Panel } from '../../parts/panel.tsx';
import { LabelledSelect } from '../../parts/labelled-input.tsx';
import { ProblemList } from '../fields/problem-list.tsx';
import { useTyped } from '../fields/use-typed.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import buttons from '../../parts/buttons.module.css';
import { SITE_FILE } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import kit from '../../parts/view.module.css';
import styles from './json-section.module.css';

// Loaded when it is opened: it is larger than the rest of the console.
const JsonEditor = lazy(async () => ({ default: (await import('./json-editor.tsx')).JsonEditor }));

/** Every JSON file of the site as it is. */
export function JsonSection(): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot, findFaults, isViewer } = useDesk();
  const [chosen, setChosen] = useState(SITE_FILE);
  const files = snapshot.draft?.json ?? {};
  const file = chosen in files ? chosen : SITE_FILE;
  const name = `json ${file}`;
  const present = files[file] ?? '';
  const { value: typed, isTyped, problem } = useTyped<TypedFile>(name, { text: present, begun: present });
  const { text, begun, sent } = typed;
  // What another part of the desk, or another window, has saved since is not in this text.
  const isBehind = isTyped && present !== begun && present !== sent;
  const faults = isTyped ? [] : findFaults({ file, path: [] });
  const problems = [
    ...(isBehind ? [texts.jsonBehind] : problem === undefined ? [] : [problem]),
    ...faults.map(({ place, sentences }) => writePlaced(place, sentences[texts.language])),
  ];
  return (
    <Panel title={texts.sections.json} note={texts.jsonNote} id="desk-json">
      <div className={kit.stack}>
        <LabelledSelect
          label={texts.jsonFile}
          className={styles.file}
          value={file}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {Object.keys(files).map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </LabelledSelect>
        <Suspense fallback={<Loading />}>
          <JsonEditor
            file={file}
            label={texts.jsonEditor(file)}
            text={text}
            faults={faults}
            isLocked={isViewer}
            language={texts.language}
            onType={(next) => {
              if (next === present && !store.isSaving(name)) store.forget(name);
              else store.type(name, { ...typed, text: next });
            }}
          />
        </Suspense>
        <ProblemList problems={problems} />
        {!isViewer && (
          <div className={buttons.row}>
            <button
              className={buttons.main}
              type="button"
              disabled={!isTyped || snapshot.isBusy}
              onClick={save}
            >
              {isBehind ? texts.jsonReplace : texts.jsonSave}
            </button>
            <button
              className={buttons.button}
              type="button"
              disabled={!isTyped}
              onClick={() => store.forget(name)}
            >
              {texts.jsonUndo}
            </button>
          </div>
        )}
      </div>
    </Panel>
  );

  function save(): void {
    const seen = snapshot.draft?.files.find(({ path }) => path === file)?.hash;
    store.type(name, { ...typed, sent: text });
    void store.save(name, [{ kind: 'put', path: file, content: new Blob([text]), seen }]);
  }
}

/** What was typed. */
type TypedFile = {
  readonly text: string;
  /** The text of the file when the typing began. */
  readonly begun: string;
  /** The text that was sent last. */
  readonly sent?: string;
};
