import { DEFAULT_COLOURS, isDark } from '../../contract/site/colours.ts';

type Logos<Image> = {
  readonly theme: { readonly background?: string | undefined };
  readonly images: { readonly logo: Image; readonly logoLight?: Image | undefined };
};

/** Chooses the logo that is made for the background of the pages. */
export function chooseLogo<Image>({ theme, images }: Logos<Image>): Image {
  const isLight = !isDark(theme.background ?? DEFAULT_COLOURS.background);
  return (isLight ? images.logoLight : undefined) ?? images.logo;
}
