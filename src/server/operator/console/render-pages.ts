import type { ConsoleLanguage } from '../../../contract/console.ts';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import type { ConsoleUrls } from '../../site/load-web-build.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%232f6fed'/%3E%3Cpath d='M3 11l3-4 3 2 4-5' fill='none' stroke='white' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/** Why the form is shown again. */
export type LoginProblem =
  | { readonly kind: 'wrong-token' }
  | { readonly kind: 'too-many-tries'; readonly seconds: string };

type PageTexts = {
  readonly title: string;
  readonly noScript: string;
  readonly heading: string;
  readonly explanation: string;
  readonly token: string;
  readonly open: string;
  readonly describeProblem: (problem: LoginProblem) => string;
};

const VARIABLE = '<code>WAYPOST_OPS_TOKEN</code>';

const TEXTS: Readonly<Record<ConsoleLanguage, PageTexts>> = {
  en: {
    title: 'Waypost console',
    noScript: 'The console needs JavaScript.',
    heading: 'Operator’s console',
    explanation: `This listener asks for the token that the server was started with (${VARIABLE}).`,
    token: 'Token',
    open: 'Open the console',
    describeProblem: (problem) =>
      problem.kind === 'wrong-token'
        ? 'That is not the token.'
        : `Too many wrong tokens. Try again in ${problem.seconds} s.`,
  },
  'zh-CN': {
    title: 'Waypost 控制台',
    noScript: '控制台需要启用 JavaScript。',
    heading: '运营控制台',
    explanation: `请输入服务器启动时设置的令牌（${VARIABLE}）。`,
    token: '令牌',
    open: '打开控制台',
    describeProblem: (problem) =>
      problem.kind === 'wrong-token' ? '令牌不正确。' : `错误次数过多，请在 ${problem.seconds} 秒后重试。`,
  },
};

/** The document of the console; its script draws all the rest. */
export function renderConsolePage({ script, styles }: ConsoleUrls, language: ConsoleLanguage): string {
  return renderDocument({
    language,
    styles,
    head: `<script type="module" src="${script}"></script>`,
    body: `<div id="console"></div><noscript><p class="plain">${TEXTS[language].noScript}</p></noscript>`,
  });
}

/** The form that asks for the token, without a script. */
export function renderLoginPage(
  { styles }: Pick<ConsoleUrls, 'styles'>,
  { language, problem }: { readonly language: ConsoleLanguage; readonly problem: LoginProblem | undefined },
): string {
  const { heading, explanation, token, open, describeProblem } = TEXTS[language];
  return renderDocument({
    language,
    styles,
    head: '',
    body: `<main class="login">
<h1>${heading}</h1>
<p>${explanation}</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${describeProblem(problem)}</p>`}
<form method="post" action="${CONSOLE_PATHS.login}">
<label for="token">${token}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>${open}</button>
</form>
</main>`,
  });
}

type DocumentParts = {
  readonly language: ConsoleLanguage;
  readonly styles: readonly string[];
  readonly head: string;
  readonly body: string;
};

function renderDocument({ language, styles, head, body }: DocumentParts): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>${TEXTS[language].title}</title>
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
