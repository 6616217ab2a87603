import type { ReactNode } from 'react';
import type { PageImage } from '../../../contract/page/page-data.ts';

type PictureProps = {
  readonly image: PageImage;
  /** Empty for an image that shows nothing which the text does not say. */
  readonly alt: string;
  readonly className?: string | undefined;
  /** Loaded only when it comes into view. */
  readonly isLazy?: boolean;
};

/** An image of the site folder, in the best format that the browser can show. Its size is reserved before it loads. */
export function Picture({ image, alt, className, isLazy = false }: PictureProps): ReactNode {
  return (
    <picture>
      {image.sources.map(({ type, url }) => (
        <source key={type} type={type} srcSet={url} />
      ))}
      <img
        className={className}
        src={image.url}
        alt={alt}
        {...image.size}
        loading={isLazy ? 'lazy' : undefined}
      />
    </picture>
  );
}
