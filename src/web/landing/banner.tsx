import type { ReactNode } from 'react';
import { DESKTOP_MEDIA } from '../../contract/limits.ts';
import type { PageImage } from '../../contract/page/page-data.ts';
import styles from './banner.module.css';
import { usePage } from '../kit/page/page-context.ts';

/** The banner with the headline on it, and above or beside it what is put there. A device loads only its own image. */
export function Banner({ children }: { readonly children: ReactNode }): ReactNode {
  const { brand, images, texts } = usePage();
  const { bannerMobile, bannerDesktop } = images;
  return (
    <section className={styles.banner}>
      <picture>
        {listSources(bannerDesktop).map((source) => (
          <source key={source.srcSet} media={DESKTOP_MEDIA} {...source} {...bannerDesktop.size} />
        ))}
        {bannerMobile.sources.map(({ type, url }) => (
          <source key={url} type={type} srcSet={url} />
        ))}
        <img
          className={styles.image}
          src={bannerMobile.url}
          alt=""
          {...bannerMobile.size}
          fetchPriority="high"
        />
      </picture>
      {children}
      {texts.heroTitle ? (
        <div className={styles.headline}>
          <h1 className={styles.title}>{texts.heroTitle}</h1>
          {texts.heroText && <p className={styles.text}>{texts.heroText}</p>}
        </div>
      ) : (
        <h1 className="visually-hidden">{brand.name}</h1>
      )}
    </section>
  );
}

/** Lists every format of an image, including the one that all browsers can show. */
function listSources({ sources, url }: PageImage): readonly { type?: string; srcSet: string }[] {
  return [...sources.map((source) => ({ type: source.type, srcSet: source.url })), { srcSet: url }];
}
