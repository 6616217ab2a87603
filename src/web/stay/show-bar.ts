import { chooseTexts } from './texts.ts';

const ID = 'waypost-stay';
/** Ends a bar: another one takes its place. */
const END = 'close';
// By script, because the policy of the application may forbid style elements.
const BAR_STYLE =
  'position:fixed;z-index:2147483647;left:0;right:0;bottom:0;display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;' +
  'justify-content:center;padding:8px 16px;font:16px/1.5 system-ui,sans-serif;' +
  'background:var(--waypost-bar-background,#1c2433);color:var(--waypost-bar-color,#fff)';
const CONTROL_STYLE =
  'box-sizing:border-box;font:inherit;min-height:44px;line-height:42px;padding:0 16px;border:1px solid;border-radius:22px;' +
  'background:none;color:inherit;text-decoration:none;cursor:pointer';
// The first choice has the colours of the bar, the other way round.
const LINK_STYLE =
  ';border-color:transparent;background:var(--waypost-bar-link,#fff);color:var(--waypost-bar-background,#1c2433);font-weight:600';

/** Shows the bar that leads to a sibling. Nothing moves by itself, because somebody may be typing. */
export function showBar(address: string): void {
  document.getElementById(ID)?.dispatchEvent(new Event(END));
  const { language, lost, goOn, close } = chooseTexts([
    document.documentElement.lang,
    ...navigator.languages,
  ]);
  const bar = document.createElement('div');
  bar.id = ID;
  bar.lang = language;
  bar.style.cssText = BAR_STYLE;
  const link = document.createElement('a');
  link.textContent = goOn;
  // The page may have changed its own address since.
  const lead = (): void => void (link.href = address + location.pathname + location.search + location.hash);
  lead();
  link.addEventListener('click', lead);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = close;
  link.style.cssText = CONTROL_STYLE + LINK_STYLE;
  button.style.cssText = CONTROL_STYLE;
  const end = (): void => {
    bar.remove();
    document.removeEventListener('keydown', onKey);
  };
  const onKey = ({ key }: KeyboardEvent): void => void (key === 'Escape' && end());
  button.addEventListener('click', end);
  bar.addEventListener(END, end);
  document.addEventListener('keydown', onKey);
  const text = document.createElement('span');
  // Screen readers announce what changes inside of it, so it is in the page before its text.
  text.setAttribute('role', 'alert');
  bar.append(text, link, button);
  document.body.append(bar);
  text.textContent = lost;
}
