/** More special names first: most browsers also name Chrome or Safari. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ['Opera', /\bOPR\/(\d{1,4})/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})/],
  ['WeChat', /\bMicroMessenger\/(\d{1,4})/],
  ['QQ', /\bM?QQBrowser\/(\d{1,4})/],
  ['UC', /\bUC?Browser\/(\d{1,4})/],
  ['Huawei', /\bHuaweiBrowser\/(\d{1,4})/],
  ['Xiaomi', /\bMiuiBrowser\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})[^/]* (?:Mobile\/\w+ )?Safari\//],
];
const MAX_CHARS = 512;

/** The family and the major version of a browser, such as "Chrome 131". Empty if unknown. Nothing else is kept of the header. */
export function readBrowser(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, MAX_CHARS) ?? '';
  for (const [name, version] of BROWSERS) {
    const major = version.exec(text)?.[1];
    if (major !== undefined) return `${name} ${major}`;
  }
  return '';
}
