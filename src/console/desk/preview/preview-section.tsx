import type { ReactNode } from 'react';
import { Panel } from '../../parts/panel.tsx';
import { LanguageChoice, useLanguageChoice } from '../fields/language-choice.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useAnswer } from '../parts/use-answer.tsx';
import { useDesk } from '../store/desk-context.ts';
import { completeUrl } from './live-preview.tsx';
import styles from './preview-section.module.css';

/** The landing page as the draft would make it, on a phone and on a desktop. It has an origin of its own. */
export function PreviewSection(): ReactNode {
  const texts = useDeskTexts();
  const { api, snapshot } = useDesk();
  const [language, chooseLanguage] = useLanguageChoice();
  // Each change of the draft is shown anew.
  const { data, instead } = useAnswer(`${snapshot.draft?.current} ${snapshot.draft?.draft?.hash}`, () =>
    api.preview(),
  );
  return (
    <Panel title={texts.sections.preview} note={texts.previewNote} id="desk-preview">
      <LanguageChoice language={language} onChoose={chooseLanguage} className={styles.language} />
      {data === undefined ? instead : <Frames url={completeUrl(data.url, language)} />}
    </Panel>
  );
}

function Frames({ url }: { readonly url: string }): ReactNode {
  const texts = useDeskTexts();
  return (
    <>
      <p>
        <a href={url} target="_blank" rel="noopener">
          {texts.previewOpen}
        </a>
      </p>
      <div className={styles.frames}>
        <div className={styles.phone}>
          <iframe key={url} title={texts.previewPhone} src={url} />
        </div>
        <div className={styles.desktop}>
          <iframe key={url} title={texts.previewDesktop} src={url} />
        </div>
      </div>
    </>
  );
}
