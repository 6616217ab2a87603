import { renderToString } from 'react-dom/server';
import landingStyle from '../../../dist/web/client/landing.css?raw';
import type { PageRequest } from '../../contract/page/page-data.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import { LANDING_PATH } from '../../contract/paths.ts';
import type { PageParts } from '../kit/document/render-document.ts';
import controls from '../kit/page/controls.module.css';
import { createPageContent } from '../kit/page/create-page-content.ts';
import { Footer } from '../kit/page/footer.tsx';
import { Header } from '../kit/page/header.tsx';
import { PageContext } from '../kit/page/page-context.ts';
import styles from './landing-page.module.css';

/** Renders the page for unknown paths: the landing page's header and footer, and the way to it. */
export function renderNotFound(request: PageRequest, texts: Texts): PageParts {
  const page = (
    <PageContext value={createPageContent(request, texts)}>
      <Header hasPromo={false} />
      <main className={styles.notice}>
        <h1>{texts.notFound}</h1>
        <p>{texts.notFoundText}</p>
        <a className={controls.primary} href={LANDING_PATH}>
          {texts.home}
        </a>
      </main>
      <Footer />
    </PageContext>
  );
  return { body: renderToString(page), styles: [landingStyle] };
}
