import type { PageSite } from '../../contract/page/page-data.ts';
import { deriveTheme } from '../kit/theme/derive-theme.ts';

/** The style of the message of `/r`: few rules, because it is hardly ever seen and always sent. */
export function renderStyle(theme: PageSite['theme']): string {
  const tokens = deriveTheme(theme);
  const colour = (name: string): string => tokens[`--${name}`] ?? '';
  return `
:root{color-scheme:${tokens['color-scheme']};background:${colour('background')};color:${colour('text')};font:100%/1.6 system-ui,sans-serif}
body{display:grid;align-content:space-between;max-width:36rem;min-height:90vh;margin:0 auto;padding:20vh 1rem 1rem;box-sizing:border-box;text-align:center}
ol{padding:0;list-style:none}
main a,button{display:inline-block;margin:.25rem;padding:.6rem 1.5rem;border:1px solid ${colour('control-border')};border-radius:9rem;background:none;color:inherit;font:inherit;text-decoration:none}
button{border-color:${colour('accent')};background:${colour('accent')};color:${colour('on-accent')};font-weight:700;cursor:pointer}
footer{color:${colour('muted')};font-size:.875rem}
footer *{color:inherit}
[data-when]{display:none}
[data-outcome=none] [data-when=none],[data-outcome=restricted] [data-when=restricted]{display:revert}
[data-busy] main{opacity:.6}
[data-busy] [role]{visibility:hidden}
`.trim();
}
