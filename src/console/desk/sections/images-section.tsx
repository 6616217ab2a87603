import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { MAX_UPLOAD_BYTES } from '../../../contract/limits.ts';
import { useLocale } from '../../locale/locale.ts';
import { Panel } from '../../parts/panel.tsx';
import { ByLanguage } from '../fields/by-language.tsx';
import { sayProblem, useProblems } from '../fields/use-problems.ts';
import fieldStyles from '../../parts/field.module.css';
import { LivePreview } from '../preview/live-preview.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { fileUrl } from '../store/create-desk-api.ts';
import { type Place, SITE_FILE, changeValue, nameOf, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { IMAGE_NAMES, type ImageName, chooseImagePath, isStale, readEnding } from './image-files.ts';
import { RemoveButton } from './remove-button.tsx';
import styles from './sections.module.css';

/** The page works without these: it draws the QR codes itself, and shows the one logo on every background. */
const OPTIONAL: ReadonlySet<ImageName> = new Set<ImageName>([
  'logoLight',
  'walletQr',
  'telegramQr',
  'favicon',
  'share',
]);

/** The images of the site: each as it is, and a place to drop another one. */
export function ImagesSection(): ReactNode {
  const texts = useDeskTexts();
  const { languages } = useDesk();
  return (
    <div className={styles.beside}>
      <Panel title={texts.sections.images} note={texts.imagesNote} id="desk-images">
        <div className={styles.images}>
          {IMAGE_NAMES.map((name) => (
            <ByLanguage
              key={name}
              place={{ file: SITE_FILE, path: ['images', name] }}
              label={texts.images[name]}
            >
              {({ place, label, isAlone }) => (
                <ImageField
                  place={place}
                  label={isAlone ? texts.images[name] : texts.imageFor(texts.images[name], label)}
                  isOptional={OPTIONAL.has(name) || !isAlone}
                />
              )}
            </ByLanguage>
          ))}
        </div>
      </Panel>
      <LivePreview language={languages.defaultLocale} />
    </div>
  );
}

function ImageField({
  place,
  label,
  isOptional,
}: {
  readonly place: Place;
  readonly label: string;
  readonly isOptional: boolean;
}): ReactNode {
  const texts = useDeskTexts();
  const { format } = useLocale();
  const { store, snapshot, isViewer } = useDesk();
  const [isOver, setIsOver] = useState(false);
  /** Why the last file was not taken. Not kept in the store, because it cannot be saved. */
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const id = useId();
  const name = nameOf(place);
  const path = readValue(snapshot.json, place);
  const files = snapshot.draft?.files ?? [];
  const file = files.find((one) => one.path === path);
  const problems = useProblems(name, place);
  return (
    <div
      className={styles.image}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <div className={styles.picture}>
        {file === undefined ? (
          texts.noImage
        ) : (
          <img src={`${fileUrl(file.path)}&${file.hash}`} alt={label} loading="lazy" />
        )}
      </div>
      <div className={styles.facts}>
        {file !== undefined && <p>{texts.imageFacts(file.path, format.bytes(file.bytes))}</p>}
        {!isViewer && (
          <>
            <label className={fieldStyles.help} htmlFor={id}>
              {texts.chooseImage(label)}
            </label>
            <input
              id={id}
              type="file"
              accept="image/*,.ico"
              aria-describedby={`${id}-fault`}
              onChange={({ currentTarget }) => {
                const [chosen] = currentTarget.files ?? [];
                if (chosen !== undefined) void upload(chosen);
              }}
            />
            {isOptional && path !== undefined && (
              <RemoveButton place={place} label={texts.remove} name={texts.removeImage(label)} />
            )}
          </>
        )}
        <div className={fieldStyles.fault} id={`${id}-fault`} role="alert">
          {refused !== undefined && <p>{refused}</p>}
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      </div>
    </div>
  );

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped !== undefined && !isViewer) void upload(dropped);
  }

  async function upload(chosen: File): Promise<void> {
    const ending = readEnding(chosen.name);
    store.forget(name);
    if (ending === undefined) return setRefused(texts.imageWrongType);
    if (chosen.size > MAX_UPLOAD_BYTES) return setRefused(texts.imageTooLarge(format.bytes(chosen.size)));
    setRefused(undefined);
    const { json } = snapshot;
    const after = chooseImagePath(json, { path: place.path, ending });
    store.type(name, chosen.name);
    await store.save(name, [
      { kind: 'put', path: after, content: chosen },
      changeValue(place, after),
      ...(isStale(json, path, after) ? [{ kind: 'remove', path } as const] : []),
    ]);
    const problem = sayProblem(store.getSnapshot().typed[name], texts);
    if (problem === undefined) return;
    setRefused(problem);
    store.forget(name);
  }
}
