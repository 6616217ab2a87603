import { type ReactNode, useId, useState } from 'react';
import { useLocale } from '../../locale/locale.ts';
import { Panel } from '../../parts/panel.tsx';
import { ByLanguage } from '../fields/by-language.tsx';
import { ProblemList } from '../fields/problem-list.tsx';
import { useProblems } from '../fields/use-problems.ts';
import fieldStyles from '../../parts/field.module.css';
import { LivePreview } from '../preview/live-preview.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { fileUrl } from '../store/create-desk-api.ts';
import { type Place, SITE_FILE, nameOf, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { IMAGE_NAMES, type ImageName } from './image-files.ts';
import { useUpload } from './use-upload.ts';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';
import styles from './images-section.module.css';

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
    <div className={groups.beside}>
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
  const { snapshot, isViewer } = useDesk();
  const [isOver, setIsOver] = useState(false);
  const id = useId();
  const { upload, refusal } = useUpload(place);
  const path = readValue(snapshot.json, place);
  const file = snapshot.draft?.files.find((one) => one.path === path);
  const problems = useProblems(nameOf(place), place);
  return (
    <div
      className={styles.image}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        if (!isViewer) upload(event.dataTransfer.files);
      }}
    >
      <div className={styles.picture}>
        {file === undefined ? texts.noImage : <img src={fileUrl(file)} alt={label} loading="lazy" />}
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
                upload(currentTarget.files);
                // The same file may be chosen again: it has changed, or was removed here.
                currentTarget.value = '';
              }}
            />
            {isOptional && path !== undefined && (
              <RemoveButton place={place} label={texts.remove} name={texts.removeImage(label)} />
            )}
          </>
        )}
        <ProblemList
          problems={refusal === undefined ? problems : [refusal, ...problems]}
          id={`${id}-fault`}
        />
      </div>
    </div>
  );
}
