import type { ReactNode } from 'react';
import { usePage } from '../../kit/page/page-context.ts';
import { DownloadLinks } from './download-links.tsx';
import { DownloadTabs } from './download-tabs.tsx';

/** The download area: links on a phone, tabs on a desktop. What does not fit the device is not displayed. */
export function Downloads(): ReactNode {
  const { texts } = usePage();
  return (
    <section aria-labelledby="downloads-title">
      <h2 className="visually-hidden" id="downloads-title">
        {texts.downloadsTitle}
      </h2>
      <DownloadLinks />
      <DownloadTabs />
    </section>
  );
}
