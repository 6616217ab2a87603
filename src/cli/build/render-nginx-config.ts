import type { Locale } from '../../contract/locales.ts';
import { LANDING_PATH, REDIRECT_PATH, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { LOCALE_COOKIE } from '../../contract/storage-keys.ts';
import type { PageKind } from '../../contract/page-data.ts';
import type { AnswerHeaders } from '../../server/http/exchange.ts';
import { MEDIA_TYPES } from '../../server/http/media-types.ts';
import { HSTS } from '../../server/http/security-headers.ts';
import { IMMUTABLE, REVALIDATED, SITE_IMAGE_PREFIX } from '../../server/site/prepare-images.ts';
import { type ExportedPage, PAGE_NAMES } from './list-export.ts';

const POLICY = 'Content-Security-Policy';
/** What nginx says of a file by itself. */
const OWN_HEADERS = /^(?:content-(?:type|length|encoding)|etag)$/i;
const YEAR_SECONDS = 31_536_000;

/** Renders the nginx config that serves an export as `waypost serve` would serve the site, as far as nginx can. */
export function renderNginxConfig(pages: readonly ExportedPage[], defaultLocale: Locale): string {
  const locales = [...new Set(pages.map(({ locale }) => locale))];
  return `# A Waypost site as plain files, on nginx. Written by waypost build: build again to change it.
#
#   1. copy www to /var/www/waypost, and this file to /etc/nginx/conf.d/waypost-site.conf
#   2. change the three things marked CHANGE
#   3. nginx -t && systemctl reload nginx

# The language: ?lang=, then the cookie that it left, then the first one of the browser's that there is.
map $arg_lang $waypost_asked {
${locales.map((locale) => `    ~*^${locale}$ ${locale};`).join('\n')}
}
map $http_cookie $waypost_remembered {
${locales.map((locale) => `    "~(?:^|;\\s*)${LOCALE_COOKIE.replaceAll('.', '\\.')}=${locale}(?:;|$)" ${locale};`).join('\n')}
}
map $http_accept_language $waypost_tag {
    "~*(?:^|,)\\s*(?<waypost_first>zh-(?:hant|tw|hk|mo)|zh|en)(?![a-z])" $waypost_first;
}
map $waypost_tag $waypost_accepted {
    default ${defaultLocale};
    ~*^zh-  zh-TW;
    ~*^zh$  zh-CN;
    ~*^en$  en;
}
map "$waypost_asked $waypost_remembered $waypost_accepted" $waypost_locale {
    "~^ *(?<waypost_chosen>[^ ]+)" $waypost_chosen;
}
map "$waypost_asked $https" $waypost_cookie {
    "~^(?<waypost_name>[^ ]+) on$" "${renderCookie('$waypost_name')}; Secure";
    "~^(?<waypost_name>[^ ]+) $"   "${renderCookie('$waypost_name')}";
}
map $https $waypost_hsts {
    on "${HSTS['Strict-Transport-Security']}";
}

# What each page may load and run: the hashes are those of the scripts and styles inside it.
${Object.keys(PAGE_NAMES)
  .map((kind) =>
    renderPolicies(
      pages.filter((page) => page.kind === kind),
      kind,
    ),
  )
  .join('\n')}

server {
    # CHANGE: where visitors come in. Without "ssl" and the certificate, where something in front speaks https.
    listen [::]:443 ssl http2 ipv6only=off;
    ssl_certificate     /etc/ssl/waypost/fullchain.pem;
    ssl_certificate_key /etc/ssl/waypost/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    # CHANGE: the names of the site.
    server_name _;
    # CHANGE: where www of the export was copied to.
    root /var/www/waypost;

    server_tokens off;
    charset utf-8;
    charset_types ${charsetTypes().join(' ')};
    types {
${renderTypes()}
    }
    # Each file has a .gz beside it, and a .br too: with libnginx-mod-http-brotli-static, write "brotli_static on;".
    gzip_static on;
    error_page 404 @not-found;

    location = ${LANDING_PATH} {
${renderPage(pages, 'landing')}
    }
    location = ${REDIRECT_PATH} {
${renderPage(pages, 'redirect')}
    }
    location ~ ^${TYPE_REDIRECT_PATH}(?:/|$) {
${renderPage(pages, 'type-redirect')}
    }
    location @not-found {
${renderPage(pages, 'not-found')}
    }

    # There is no API here, so pages use the fallback hosts. To use that of a portal elsewhere, put a proxy_pass here.
    location /api/ {
        default_type application/json;
        return 404 '{"error":{"code":"not-found","message":"There is nothing under this path."}}';
    }

    # Named for what is in them: they never change.
    location ~ "^(?:/assets/.+|${SITE_IMAGE_PREFIX}.+\\.[\\w-]{10}\\.\\w+)$" {
        gzip_vary on;
${renderHeaders(IMMUTABLE)}
    }
    location / {
        gzip_vary on;
${renderHeaders(REVALIDATED)}
    }
}
`;
}

function renderPolicies(pages: readonly ExportedPage[], kind: string): string {
  const rows = pages.map(
    ({ locale, answer }) => `    ${locale} ${quote(answer.identity.headers[POLICY] ?? '')};`,
  );
  return `map $waypost_locale ${policyVariable(kind)} {\n${rows.join('\n')}\n}`;
}

/** The headers of a page, which but for its policy and its language are the same in every language. */
function renderPage(pages: readonly ExportedPage[], kind: PageKind): string {
  const page = pages.find((page) => page.kind === kind);
  const headers = {
    ...page?.answer.identity.headers,
    [POLICY]: policyVariable(kind),
    'Content-Language': '$waypost_locale',
    'Set-Cookie': '$waypost_cookie',
  };
  return `        try_files /${PAGE_NAMES[kind]}.$waypost_locale.html =404;\n${renderHeaders(headers)}`;
}

/** "always", so that a page that says "not found" has them too. One without a value is left out by nginx. */
function renderHeaders(headers: AnswerHeaders): string {
  return Object.entries({ ...headers, 'Strict-Transport-Security': '$waypost_hsts' })
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => `        add_header ${name} ${quote(value)} always;`)
    .join('\n');
}

function renderTypes(): string {
  return [...MEDIA_TYPES]
    .map(([ending, type]) => `        ${type.replace(/;.*/, '')} ${ending.slice(1)};`)
    .join('\n');
}

function charsetTypes(): readonly string[] {
  const types = [...MEDIA_TYPES.values()].filter((type) => type.endsWith('charset=utf-8'));
  // Pages are always among them, and nginx warns of those that are named twice.
  return [...new Set(types.map((type) => type.replace(/;.*/, '')))].filter((type) => type !== 'text/html');
}

function renderCookie(locale: string): string {
  return `${LOCALE_COOKIE}=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

function policyVariable(kind: string): string {
  return `$waypost_policy_${kind.replaceAll('-', '_')}`;
}

function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
