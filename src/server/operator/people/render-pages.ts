import { html } from 'hono/html';
import type { ConsoleLanguage } from '../../../contract/console-language.ts';
import type { ConsoleTheme } from '../../../contract/console-theme.ts';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import { BRAND_STYLE_PATH, type SignInBrand } from './brand-routes.ts';
import type { LoginForm } from '../access/guard-access.ts';
import type { ConsoleUrls } from '../../site/load-web-build.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%232f6fed'/%3E%3Cpath d='M3 11l3-4 3 2 4-5' fill='none' stroke='white' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/** A part of a page. Texts that are put into it are escaped. */
export type Html = ReturnType<typeof html>;

/** Why the form is shown again. */
export type LoginProblem =
  | { readonly kind: 'wrong-token' | 'wrong-sign-in' | 'recovery-code-away' | 'store-uncertain' }
  | { readonly kind: 'too-many-tries'; readonly seconds: string };

type PageTexts = {
  readonly title: string;
  readonly noScript: string;
  readonly heading: string;
  readonly explanation: Readonly<Record<LoginForm, string | Html>>;
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly code: string;
  readonly codeHint: string;
  readonly open: string;
  readonly signIn: string;
  readonly describeProblem: (problem: LoginProblem) => string;
};

const VARIABLE = html`<code>WAYPOST_OPS_TOKEN</code>`;
const COMMAND = html`<code>waypost operator add NAME --role owner</code>`;
const RESET = html`<code>waypost operator reset NAME</code>`;

const TEXTS: Readonly<Record<ConsoleLanguage, PageTexts>> = {
  en: {
    title: 'Waypost console',
    noScript: 'The console needs JavaScript.',
    heading: 'Operator’s console',
    explanation: {
      token: html`This listener asks for the token that the server was started with (${VARIABLE}).`,
      password: 'Sign in with your name, your password and the code that your authenticator app shows.',
      invited: html`Somebody is invited, and has not set up the account yet: open the link of the invitation.
      If it is lost, run ${RESET} on the server.`,
      'nobody-yet': html`Nobody has an account yet. Run ${COMMAND} on the server, and open the link that it
      prints.`,
    },
    token: 'Token',
    name: 'Name',
    password: 'Password',
    code: 'Code',
    codeHint: 'Six digits, or one of your recovery codes.',
    open: 'Open the console',
    signIn: 'Sign in',
    describeProblem: (problem) => {
      switch (problem.kind) {
        case 'wrong-token':
          return 'That is not the token.';
        case 'wrong-sign-in':
          return 'Name, password or code is wrong. A code works once: wait for the next one.';
        case 'too-many-tries':
          return `Too many tries. Try again in ${problem.seconds} s.`;
        case 'recovery-code-away':
          return 'The database is away. Sign in with a code of the app: recovery codes work again when it is back.';
        case 'store-uncertain':
          return 'The database did not answer in time. Sign in again, with the next code.';
      }
    },
  },
  'zh-CN': {
    title: 'Waypost 控制台',
    noScript: '控制台需要启用 JavaScript。',
    heading: '运营控制台',
    explanation: {
      token: html`请输入服务器启动时设置的令牌（${VARIABLE}）。`,
      password: '请输入您的名称、密码和身份验证器应用显示的验证码。',
      invited: html`已有人受到邀请，但尚未完成账户设置：请打开邀请链接。如果链接已丢失，请在服务器上运行
      ${RESET}。`,
      'nobody-yet': html`还没有任何账户。请在服务器上运行 ${COMMAND}，然后打开它输出的链接。`,
    },
    token: '令牌',
    name: '名称',
    password: '密码',
    code: '验证码',
    codeHint: '六位数字，或一个恢复码。',
    open: '打开控制台',
    signIn: '登录',
    describeProblem: (problem) => {
      switch (problem.kind) {
        case 'wrong-token':
          return '令牌不正确。';
        case 'wrong-sign-in':
          return '名称、密码或验证码不正确。每个验证码只能使用一次：请等待下一个。';
        case 'too-many-tries':
          return `尝试次数过多，请在 ${problem.seconds} 秒后重试。`;
        case 'recovery-code-away':
          return '数据库暂时无法使用。请使用身份验证器应用的验证码登录：数据库恢复后才能使用恢复码。';
        case 'store-uncertain':
          return '数据库未及时响应。请等待下一个验证码，然后重新登录。';
      }
    },
  },
};

/** The document of the console; its script draws all the rest. */
export function renderConsolePage(
  { script, styles }: ConsoleUrls,
  { language, theme }: { readonly language: ConsoleLanguage; readonly theme: ConsoleTheme },
): Html {
  return renderDocument({
    language,
    theme,
    script,
    styles,
    body: html`<div id="console"></div>
      <noscript><p class="plain">${TEXTS[language].noScript}</p></noscript>`,
  });
}

/** What all pages before the console need. */
export type SignInPage = {
  readonly urls: ConsoleUrls;
  readonly language: ConsoleLanguage;
  readonly brand: SignInBrand;
};

/** The form that asks who somebody is. */
export function renderLoginPage(
  page: SignInPage,
  { form, problem }: { readonly form: LoginForm; readonly problem: LoginProblem | undefined },
): Html {
  const { language } = page;
  const { heading, explanation, describeProblem } = TEXTS[language];
  return renderSignInPage(
    page,
    html`${renderHeading(page, heading)}
      <p>${explanation[form]}</p>
      ${problem && html`<p class="problem" role="alert">${describeProblem(problem)}</p>`}
      ${renderForm(form, TEXTS[language])}`,
  );
}

/** A page before the console. It works without its script, too. */
export function renderSignInPage(
  { urls: { signInScript, signInStyles }, language, brand: { name, logoUrl } }: SignInPage,
  content: Html,
): Html {
  return renderDocument({
    language,
    title: `${name} · ${TEXTS[language].heading}`,
    script: signInScript,
    // The brand's last: it sets what the others use.
    styles: [...signInStyles, BRAND_STYLE_PATH],
    body: html`<div class="sign-in">
      <header class="brand"><img src="${logoUrl}" alt="${name}" /></header>
      <main class="login">${content}</main>
    </div>`,
  });
}

/** The heading of a page before the console, below the name of the brand. */
export function renderHeading({ brand }: SignInPage, heading: string): Html {
  return html`<hgroup>
    <p class="of">${brand.name}</p>
    <h1>${heading}</h1>
  </hgroup>`;
}

function renderForm(form: LoginForm, texts: PageTexts): Html | undefined {
  switch (form) {
    case 'invited':
    case 'nobody-yet':
      return undefined;
    case 'token':
      return html`<form method="post" action="${CONSOLE_PATHS.login}">
        <label for="token">${texts.token}</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
        <button>${texts.open}</button>
      </form>`;
    case 'password':
      return html`<form method="post" action="${CONSOLE_PATHS.login}">
        <label for="name">${texts.name}</label>
        <input
          id="name"
          name="name"
          autocomplete="username"
          autocapitalize="none"
          maxlength="64"
          required
          autofocus
        />
        <label for="password">${texts.password}</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <label for="code">${texts.code}</label>
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck="false"
          maxlength="64"
          aria-describedby="code-hint"
          required
        />
        <p class="hint" id="code-hint">${texts.codeHint}</p>
        <button>${texts.signIn}</button>
      </form>`;
  }
}

type DocumentParts = Pick<ConsoleUrls, 'script' | 'styles'> & {
  readonly title?: string;
  readonly language: ConsoleLanguage;
  readonly theme?: ConsoleTheme;
  readonly body: Html;
};

function renderDocument({ language, theme = 'system', title, script, styles, body }: DocumentParts): Html {
  return html`<!doctype html>
    <html lang="${language}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark light" />
        <meta name="robots" content="noindex" />
        <title>${title ?? TEXTS[language].title}</title>
        <link rel="icon" href="${ICON}" />
        ${styles.map((url) => html`<link rel="stylesheet" href="${url}" />`)}
        <script type="module" src="${script}"></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `;
}
