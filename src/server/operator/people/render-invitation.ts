import { html, raw } from 'hono/html';
import type { ConsoleLanguage } from '../../../contract/console-language.ts';
import {
  type ConsoleSecondFactor,
  MAX_PASSWORD_CHARS,
  MIN_PASSWORD_CHARS,
} from '../../../contract/people.ts';
import { LANDING_PATH, PEOPLE_PATHS } from '../../../contract/paths.ts';
import type { Acceptance } from '../../people/create-invitations.ts';
import { type Html, type SignInPage, renderHeading, renderSignInPage } from './render-pages.ts';

type Problem =
  | Exclude<Extract<Acceptance, { kind: 'refused' }>['problem'], 'invitation-over'>
  | 'too-many-sign-ins'
  | 'store-away'
  | 'store-uncertain';

type Texts = {
  readonly heading: string;
  readonly name: string;
  readonly password: string;
  readonly passwordHint: string;
  readonly app: string;
  readonly scan: string;
  readonly secret: string;
  readonly openApp: string;
  readonly copyKey: string;
  readonly code: string;
  readonly codeHint: string;
  readonly accept: string;
  readonly problems: Readonly<Record<Problem, string>>;
  readonly over: string;
  readonly overHint: string;
  readonly welcome: string;
  readonly codes: string;
  readonly codesHint: string;
  readonly copy: string;
  readonly copied: string;
  readonly download: string;
  readonly open: string;
};

const TEXTS: Readonly<Record<ConsoleLanguage, Texts>> = {
  en: {
    heading: 'Set up your account',
    name: 'Name',
    password: 'New password',
    passwordHint: `At least ${MIN_PASSWORD_CHARS} characters, of any kind. Four or five words that do not belong together are good.`,
    app: 'Authenticator app',
    scan: 'Scan this picture with an authenticator app. On the phone that has the app, open it from here, or copy the key into it.',
    secret: 'Key: ',
    openApp: 'Open the app on this phone',
    copyKey: 'Copy the key',
    code: 'Code',
    codeHint: 'The six digits that the app shows now.',
    accept: 'Set up the account',
    problems: {
      'password-too-short': `The password must have at least ${MIN_PASSWORD_CHARS} characters.`,
      'password-too-long': `The password may have at most ${MAX_PASSWORD_CHARS} characters.`,
      'password-too-easy':
        'This password is easy to guess. Take four or five words that do not belong together.',
      'wrong-code':
        'The code is wrong. Type the one that the app shows now, and check the clock of your phone.',
      'too-many-sign-ins': 'Too many people sign in at this moment. Send this form again in some seconds.',
      'store-away':
        'The database is away, and nothing was changed. Try again later: the link stays as it is.',
      'store-uncertain':
        'The database did not answer in time. Send this form again. If the link does not work any more, your account is ready: sign in.',
    },
    over: 'This link does not work any more',
    overHint: 'It was used before, or it is older than 24 hours. Ask an owner of this console for a new one.',
    welcome: 'Your account is ready',
    codes: 'Recovery codes',
    codesHint:
      'If you lose your phone, each of these codes works once in its place. Keep them where you keep your passwords: they are not shown again.',
    copy: 'Copy them all',
    copied: 'Copied',
    download: 'Download as a text file',
    open: 'Open the console',
  },
  'zh-CN': {
    heading: '设置您的账户',
    name: '名称',
    password: '新密码',
    passwordHint: `至少 ${MIN_PASSWORD_CHARS} 个字符，可以是任意字符。四五个互不相关的词就很好。`,
    app: '身份验证器应用',
    scan: '用身份验证器应用扫描此图。如果应用就在这部手机上，可从这里打开，或把密钥复制到应用中。',
    secret: '密钥：',
    openApp: '在本手机打开应用',
    copyKey: '复制密钥',
    code: '验证码',
    codeHint: '应用当前显示的六位数字。',
    accept: '完成设置',
    problems: {
      'password-too-short': `密码至少需要 ${MIN_PASSWORD_CHARS} 个字符。`,
      'password-too-long': `密码最多 ${MAX_PASSWORD_CHARS} 个字符。`,
      'password-too-easy': '此密码容易被猜到。请使用四五个互不相关的词。',
      'wrong-code': '验证码不正确。请输入应用当前显示的验证码，并检查手机的时间。',
      'too-many-sign-ins': '当前登录的人过多。请在几秒后再次提交。',
      'store-away': '数据库暂时无法使用，没有任何更改。请稍后再试：此链接仍然有效。',
      'store-uncertain': '数据库未及时响应。请再次提交。如果链接已失效，说明您的账户已可使用：请直接登录。',
    },
    over: '此链接已失效',
    overHint: '它已被使用，或已超过 24 小时。请向控制台的所有者索取新的链接。',
    welcome: '您的账户已可使用',
    codes: '恢复码',
    codesHint: '如果丢失手机，每个恢复码可代替验证码使用一次。请像保管密码一样保管它们：它们不会再次显示。',
    copy: '复制全部',
    copied: '已复制',
    download: '下载为文本文件',
    open: '打开控制台',
  },
};

type InvitationPage = {
  readonly key: string;
  readonly invitation: ConsoleSecondFactor & { readonly name: string };
  readonly problem?: Problem;
};

/** The page on which an invited person chooses a password and sets up the second factor. */
export function renderInvitationPage(page: SignInPage, { key, invitation, problem }: InvitationPage): Html {
  const texts = TEXTS[page.language];
  const groups = invitation.secret.match(/.{1,4}/g) ?? [];
  return renderSignInPage(
    page,
    html`${renderHeading(page, texts.heading)}
      ${problem && html`<p class="problem" role="alert">${texts.problems[problem]}</p>`}
      <form method="post" action="${PEOPLE_PATHS.invitation}">
        <input type="hidden" name="key" value="${key}" />
        <label for="name">${texts.name}</label>
        <input id="name" name="username" value="${invitation.name}" autocomplete="username" readonly />
        <label for="password">${texts.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          aria-describedby="password-hint"
          required
          autofocus
        />
        <p class="hint" id="password-hint">${texts.passwordHint}</p>
        <h2>${texts.app}</h2>
        <p>${texts.scan}</p>
        <div class="qr">${raw(invitation.qr)}</div>
        <p>${texts.secret}<code id="key" data-text="${invitation.secret}">${groups.join(' ')}</code></p>
        <p class="ways">
          <a href="${invitation.uri}">${texts.openApp}</a>
          <button id="copy" type="button" data-copies="key" data-copied="${texts.copied}" hidden>
            ${texts.copyKey}
          </button>
        </p>
        <label for="code">${texts.code}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          maxlength="16"
          aria-describedby="code-hint"
          required
        />
        <p class="hint" id="code-hint">${texts.codeHint}</p>
        <button>${texts.accept}</button>
      </form>`,
  );
}

/** The page of a link that was used, or is too old. */
export function renderOverPage(page: SignInPage): Html {
  const { over, overHint } = TEXTS[page.language];
  return renderSignInPage(
    page,
    html`${renderHeading(page, over)}
      <p>${overHint}</p>`,
  );
}

/** The page after an invitation: the recovery codes are shown here, and never again. */
export function renderWelcomePage(page: SignInPage, codes: readonly string[]): Html {
  const texts = TEXTS[page.language];
  return renderSignInPage(
    page,
    html`${renderHeading(page, texts.welcome)}
      <h2>${texts.codes}</h2>
      <p>${texts.codesHint}</p>
      <ul id="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <button id="copy" type="button" data-copies="codes" data-copied="${texts.copied}" hidden>
        ${texts.copy}
      </button>
      <a
        download="waypost-recovery-codes.txt"
        href="data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}"
        >${texts.download}</a
      >
      <a class="open" href="${LANDING_PATH}">${texts.open}</a>`,
  );
}
