import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import type { ConsoleUrls } from '../../site/load-web-build.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%232f6fed'/%3E%3Cpath d='M3 11l3-4 3 2 4-5' fill='none' stroke='white' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/** The document of the console; its script draws all the rest. */
export function renderConsolePage({ script, styles }: ConsoleUrls): string {
  return renderDocument(styles, {
    head: `<script type="module" src="${script}"></script>`,
    body: '<div id="console"></div><noscript><p class="plain">The console needs JavaScript.</p></noscript>',
  });
}

/** The form that asks for the token, without a script. */
export function renderLoginPage({ styles }: Pick<ConsoleUrls, 'styles'>, problem?: string): string {
  return renderDocument(styles, {
    head: '',
    body: `<main class="login">
<h1>Operator’s console</h1>
<p>This listener asks for the token that the server was started with (<code>WAYPOST_OPS_TOKEN</code>).</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="${CONSOLE_PATHS.login}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Open the console</button>
</form>
</main>`,
  });
}

function renderDocument(
  styles: readonly string[],
  { head, body }: { readonly head: string; readonly body: string },
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>Waypost console</title>
<link rel="icon" href="${ICON}">
${styles.map((url) => `<link rel="stylesheet" href="${url}">`).join('\n')}
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
