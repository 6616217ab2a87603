import type { PageSite } from '../../../contract/page/page-data.ts';
import { deriveTheme } from './derive-theme.ts';

/** The colour tokens as a style sheet. */
export function renderTheme(theme: PageSite['theme']): string {
  const declarations = Object.entries(deriveTheme(theme)).map(([name, value]) => `${name}:${value}`);
  return `:root{${declarations.join(';')}}`;
}
