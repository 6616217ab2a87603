import type { Locale } from '../../contract/site/locales.ts';
import { LOCALE_COOKIE } from '../../contract/page/storage-keys.ts';
import { HSTS } from '../../server/http/security-headers.ts';
import { createMatchLocale } from '../../server/site/create-match-locale.ts';
import type { ExportedPage } from './list-export.ts';

export const POLICY = 'Content-Security-Policy';
/** The nginx variable with the visitor's language. */
export const LOCALE_VARIABLE = '$waypost_locale';
const YEAR_SECONDS = 31_536_000;

/** Renders the maps of the nginx config: the visitor's language, and each page's policy. They change with the site. */
export function renderNginxMaps(pages: readonly ExportedPage[], defaultLocale: Locale): string {
  const locales = [...new Set(pages.map(({ locale }) => locale))];
  const languages = [...new Set(locales.map((locale) => new Intl.Locale(locale).language))];
  return `# Read by nginx.conf beside it. Written by waypost build: every build writes it anew.

# The language: ?lang=, then the cookie that it left, then the first one of the browser's that there is.
map $arg_lang $waypost_asked {
${locales.map((locale) => `    ~*^${locale}$ ${locale};`).join('\n')}
}
map $http_cookie $waypost_remembered {
${locales.map((locale) => `    "~(?:^|;\\s*)${LOCALE_COOKIE.replaceAll('.', '\\.')}=${locale}(?:;|$)" ${locale};`).join('\n')}
}
map $http_accept_language $waypost_tag {
    "~*(?:^|,)\\s*(?<waypost_first>(?:${languages.join('|')})(?:-[a-z\\d]+)*)(?![\\w-])" $waypost_first;
}
map $waypost_tag $waypost_accepted {
    default ${defaultLocale};
${listTagRules(locales)
  .map(({ pattern, locale }) => `    "~*${pattern}" ${locale};`)
  .join('\n')}
}
map "$waypost_asked $waypost_remembered $waypost_accepted" ${LOCALE_VARIABLE} {
    "~^ *(?<waypost_chosen>[^ ]+)" $waypost_chosen;
}
map "$waypost_asked $https" $waypost_cookie {
    "~^(?<waypost_name>[^ ]+) on$" "${renderCookie('$waypost_name', '; Secure')}";
    "~^(?<waypost_name>[^ ]+) $"   "${renderCookie('$waypost_name')}";
}
map $https $waypost_hsts {
    on "${HSTS}";
}

# What each page may load and run: the hashes are those of the scripts and styles inside it.
${[...new Set(pages.map(({ kind }) => kind))]
  .map((kind) =>
    renderPolicies(
      pages.filter((page) => page.kind === kind),
      kind,
    ),
  )
  .join('\n')}
`;
}

/** The rules of `createMatchLocale` as patterns, of which the first that fits a tag decides. */
export function listTagRules(
  locales: readonly Locale[],
): readonly { readonly pattern: string; readonly locale: Locale }[] {
  const match = createMatchLocale(locales);
  const parsed = locales.map((locale) => new Intl.Locale(locale));
  const languages = [...new Set(parsed.map(({ language }) => language))];
  const scripts = parsed.flatMap(({ language, script }) => (script ? [`${language}-${script}`] : []));
  const starts = [
    ...locales.toSorted((one, other) => other.length - one.length).filter((locale) => locale.includes('-')),
    ...scripts,
    ...(languages.includes('zh') ? ['zh-Hant', 'zh-TW', 'zh-HK', 'zh-MO'] : []),
    ...languages,
  ];
  return [...new Set(starts)].map((start) => ({
    pattern: `^${start.toLowerCase()}(?:-|$)`,
    // Each start is of a language that the list has.
    locale: match(start) as Locale,
  }));
}

function renderPolicies(pages: readonly ExportedPage[], kind: string): string {
  // The pages of all campaigns have the same policy.
  const policies = new Map(
    pages.map(({ locale, answer }) => [locale, answer.identity.headers[POLICY] ?? ''] as const),
  );
  const rows = [...policies].map(([locale, policy]) => `    ${locale} ${quote(policy)};`);
  return `map ${LOCALE_VARIABLE} ${policyVariable(kind)} {\n${rows.join('\n')}\n}`;
}

function renderCookie(locale: string, secure = ''): string {
  return `${LOCALE_COOKIE}=${locale}; Max-Age=${YEAR_SECONDS}; Path=/${secure}; SameSite=Lax`;
}

/** The nginx variable with the policy of a page. */
export function policyVariable(kind: string): string {
  return `$waypost_policy_${kind.replaceAll('-', '_')}`;
}

export function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
