import {
  CAMPAIGN_PREFIX,
  LANDING_PATH,
  LINKS_PATH,
  REDIRECT_PATH,
  TYPE_REDIRECT_PATH,
} from '../../contract/paths.ts';
import type { AnswerHeaders } from '../../server/http/prepare-answer.ts';
import { MEDIA_TYPES } from '../../server/http/media-types.ts';
import { IMMUTABLE, REVALIDATED, SITE_IMAGE_PREFIX } from '../../server/site/prepare-images.ts';
import { BY_LANGUAGE } from '../../server/site/render-pages.ts';
import {
  type ExportedCampaigns,
  type ExportedKind,
  type ExportedPage,
  NOTE_NAMES,
  PAGE_NAMES,
  linksPathIn,
} from './list-export.ts';
import { LOCALE_VARIABLE, POLICY, policyVariable, quote } from './render-nginx-maps.ts';

/** The maps, and the links of campaigns, are files of their own, because they change with the site. */
export const MAPS_FILE = 'maps.conf';
export const CAMPAIGNS_FILE = 'campaigns.conf';
/** The first line of every export's config. It tells an export from other folders. */
export const CONFIG_START = '# A Waypost site as plain files, on nginx.';

/** Headers that nginx sends by itself. */
const OWN_HEADERS = /^(?:content-(?:type|length|encoding)|etag)$/i;

/** Renders the nginx config that serves an export like `waypost serve`, as far as nginx can. */
export function renderNginxConfig(pages: readonly ExportedPage[], publicUrl: string): string {
  const name = publicUrl === '' ? 'portal.example' : new URL(publicUrl).hostname;
  return `${CONFIG_START} Written by waypost build: build again to change it.
#
#   1. build with --out /var/www/waypost, and copy this file to /etc/nginx/conf.d/waypost-site.conf
#   2. change the things marked CHANGE
#   3. rm -f /etc/nginx/sites-enabled/default, which on Debian answers on port 80 too
#   4. nginx -t && systemctl reload nginx
#
# After each further build: systemctl reload nginx, because the files that this one includes may have changed.

# CHANGE: where the export is, here and below.
include /var/www/waypost/${MAPS_FILE};

# What one address may do. Many visitors may share one (carriers, companies), so this is far more than one visitor needs.
limit_req_zone $binary_remote_addr zone=waypost_site_requests:10m rate=200r/s;
limit_conn_zone $binary_remote_addr zone=waypost_site_connections:10m;

# Visitors who come by http are sent to https.
# CHANGE: take this block out where something in front of this host speaks https.
server {
    listen 80;
    listen [::]:80;
    # CHANGE: the name of the site. The redirect goes to this name, and never to one that a request brings along.
    server_name ${name};
    return 308 https://$server_name$request_uri;
}

server {
    # CHANGE: the certificate. Where something in front of this host speaks https, listen on 80 without "ssl http2",
    # and take the ssl_ lines out.
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    ssl_certificate     /etc/ssl/waypost/fullchain.pem;
    ssl_certificate_key /etc/ssl/waypost/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    # CHANGE: the names of the site.
    server_name ${name};
    # CHANGE: where the export is.
    root /var/www/waypost/www;

    server_tokens off;
    # A client that is slower than this between two bytes is gone.
    client_header_timeout 10s;
    client_body_timeout 10s;
    send_timeout 20s;
    reset_timedout_connection on;
    limit_req zone=waypost_site_requests burst=1000 nodelay;
    limit_req_status 429;
    # Over HTTP/2 each open request counts.
    limit_conn waypost_site_connections 400;
    limit_conn_status 429;
    charset utf-8;
    charset_types ${charsetTypes().join(' ')};
    types {
${renderTypes()}
    }
    # Each file has a .gz beside it, and a .br too: with libnginx-mod-http-brotli-static, write "brotli_static on;".
    gzip_static on;
    error_page 404 @not-found;

${renderLocations(pages)}
}
`;
}

function renderLocations(pages: readonly ExportedPage[]): string {
  return `    location = ${LANDING_PATH} {
${renderPage(pages, 'landing')}
    }
    location ~ ^${REDIRECT_PATH}/?$ {
${renderPage(pages, 'redirect')}
    }
    location ~ ^${TYPE_REDIRECT_PATH}(?:/|$) {
${renderPage(pages, 'type-redirect')}
    }
    # CHANGE: where the export is. It has the links of campaigns.
    include /var/www/waypost/${CAMPAIGNS_FILE};
    location @not-found {
${renderPage(pages, 'not-found')}
    }

    location = ${LINKS_PATH} {
        try_files ${linksPathIn(LOCALE_VARIABLE)} =404;
${renderHeaders({ ...REVALIDATED, Vary: `${BY_LANGUAGE.Vary}, Accept-Encoding`, 'Content-Language': LOCALE_VARIABLE })}
    }

    # The same lines for everybody. To use the API of a portal elsewhere, put a proxy_pass here.
    location /api/ {
        default_type application/json;
        try_files $uri @no-call;
${renderHeaders(REVALIDATED)}
    }
    location @no-call {
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
    }`;
}

/** Renders the headers of a page. Only its policy and its language differ between languages. */
function renderPage(
  pages: readonly ExportedPage[],
  kind: ExportedPage['kind'],
  file = `/${PAGE_NAMES[kind as ExportedKind]}`,
): string {
  const page = pages.find((page) => page.kind === kind);
  const headers = {
    ...page?.answer.identity.headers,
    [POLICY]: policyVariable(kind),
    'Content-Language': LOCALE_VARIABLE,
    'Set-Cookie': '$waypost_cookie',
  };
  return `        try_files ${file}.${LOCALE_VARIABLE}.html =404;\n${renderHeaders(headers)}`;
}

/** Renders the links of campaigns. While a maintenance closes the site, they show its notice. */
export function renderNginxCampaigns(pages: readonly ExportedPage[], campaigns: ExportedCampaigns): string {
  return `# Read by nginx.conf beside it. Written by waypost build: every build writes it anew.
${renderCampaigns(pages, campaigns)}
`;
}

function renderCampaigns(pages: readonly ExportedPage[], campaigns: ExportedCampaigns): string {
  if (campaigns.pages.length === 0) {
    return `    location ${CAMPAIGN_PREFIX} {
${renderPage(pages, 'redirect')}
    }`;
  }
  const renderNote = (name: string): string =>
    renderPage(campaigns.pages, 'campaign-note', `${CAMPAIGN_PREFIX}${name}`);
  const locations = [
    campaigns.ended.length > 0 &&
      `    location ~ ${matchCodes(campaigns.ended)} {
        error_page 410 @campaign-ended;
        return 410;
    }
    location @campaign-ended {
${renderNote(NOTE_NAMES.ended)}
    }`,
    campaigns.soon.length > 0 &&
      `    location ~ ${matchCodes(campaigns.soon)} {
${renderNote(NOTE_NAMES.soon)}
    }`,
    campaigns.pages.some(({ kind }) => kind === 'campaign') &&
      `    location ~ "^${CAMPAIGN_PREFIX}(?<waypost_code>[a-z0-9-]{1,40})/?$" {
        error_page 404 @campaign-unknown;
${renderPage(campaigns.pages, 'campaign', `${CAMPAIGN_PREFIX}$waypost_code`)}
    }`,
    `    location ${CAMPAIGN_PREFIX} {
        error_page 404 @campaign-unknown;
        return 404;
    }
    location @campaign-unknown {
${renderNote(NOTE_NAMES.unknown)}
    }`,
  ];
  return locations.filter(Boolean).join('\n');
}

function matchCodes(codes: readonly string[]): string {
  return `"^${CAMPAIGN_PREFIX}(?:${codes.join('|')})/?$"`;
}

/** "always", so that the 404 page has them too. nginx leaves out a header with an empty value. */
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
  // nginx adds text/html by itself, and warns of types that are named twice.
  return [...new Set(types.map((type) => type.replace(/;.*/, '')))].filter((type) => type !== 'text/html');
}
