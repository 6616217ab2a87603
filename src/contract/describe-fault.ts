import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { SPEED_CHECK_TIMEOUT_MS } from './limits.ts';
import type { LineFault } from './line/line-fault.ts';

export type FaultText = {
  /** In English it completes the sentence "it …". Without a full stop. */
  readonly problem: string;
  /** A sentence that tells the operator what to do. */
  readonly advice: string;
};

const ANSWER_200: InConsoleLanguages = {
  en: 'Answer /speed.php with 200, see deploy/line.',
  'zh-CN': '请对 /speed.php 应答 200，参见 deploy/line。',
};
const NO_ANSWER: InConsoleLanguages = { en: 'does not answer', 'zh-CN': '没有应答' };

/** Says what is wrong with a line, and what to do about it. Commands and the log say it in English. */
export function describeFault(fault: LineFault, language: ConsoleLanguage): FaultText {
  return sayInAllLanguages(fault)[language];
}

function sayInAllLanguages(fault: LineFault): InConsoleLanguages<FaultText> {
  switch (fault.kind) {
    case 'timeout': {
      const seconds = SPEED_CHECK_TIMEOUT_MS / 1_000;
      return {
        en: {
          problem: `gave no answer within ${seconds} seconds`,
          advice: 'Check that its server runs and that no firewall drops the port.',
        },
        'zh-CN': {
          problem: `${seconds} 秒内没有应答`,
          advice: '请确认其服务器正在运行，且防火墙没有丢弃该端口的数据。',
        },
      };
    }
    case 'unreachable':
      return sayUnreachable(fault.code);
    case 'mixed-content':
      return {
        en: {
          problem: `is http, which a page of ${fault.portal} may not reach`,
          advice: 'Give it a certificate and drop "http://" from its entry.',
        },
        'zh-CN': {
          problem: `使用 http，${fault.portal} 的页面无法访问`,
          advice: '请为其配置证书，并从条目中去掉“http://”。',
        },
      };
    case 'certificate':
      return sayCertificate(fault);
    case 'upgrade':
      return {
        en: { problem: 'switches to another protocol (status 101)', advice: ANSWER_200.en },
        'zh-CN': { problem: '切换到了其他协议（状态码 101）', advice: ANSWER_200['zh-CN'] },
      };
    case 'redirect':
      return {
        en: {
          problem: `redirects the speed check to ${fault.location ?? 'nowhere'}`,
          advice: 'Answer /speed.php with 200: pages do not follow redirects.',
        },
        'zh-CN': {
          problem:
            fault.location === null
              ? '将测速请求重定向，但没有目的地址'
              : `将测速请求重定向到 ${fault.location}`,
          advice: '请直接应答 /speed.php：页面不会跟随重定向。',
        },
      };
    case 'not-allowed':
      return {
        en: {
          problem: 'does not allow pages of the portal to ask it',
          advice: 'Send "Access-Control-Allow-Origin: *", once.',
        },
        'zh-CN': {
          problem: '不允许本站页面访问',
          advice: '请发送一次（且仅一次）“Access-Control-Allow-Origin: *”。',
        },
      };
    case 'status':
      return {
        en: { problem: `answers with status ${fault.status}`, advice: ANSWER_200.en },
        'zh-CN': { problem: `应答状态码为 ${fault.status}`, advice: ANSWER_200['zh-CN'] },
      };
    case 'no-marker':
      return sayMarker(fault, {
        en: `sends no ${fault.header} header`,
        'zh-CN': `没有发送 ${fault.header} 标头`,
      });
    case 'other-marker':
      return sayMarker(fault, {
        en: `says "${fault.found}", not "${fault.marker}"`,
        'zh-CN': `标识为“${fault.found}”，应为“${fault.marker}”`,
      });
    case 'not-exposed':
      return {
        en: {
          problem: 'does not let a page read its marker',
          advice: `Send "Access-Control-Expose-Headers: ${fault.header}".`,
        },
        'zh-CN': {
          problem: '页面无法读取其标识',
          advice: `请发送“Access-Control-Expose-Headers: ${fault.header}”。`,
        },
      };
    case 'page-status':
      return sayPage({ en: `answers ${fault.status}`, 'zh-CN': `状态码为 ${fault.status}` });
    case 'page-no-answer':
      return sayPage(NO_ANSWER);
    case 'health-no-answer':
      return sayHealth(fault.path, NO_ANSWER);
    case 'health-status':
      return sayHealth(fault.path, { en: `answers ${fault.status}`, 'zh-CN': `状态码为 ${fault.status}` });
    case 'health-body':
      return sayHealth(fault.path, { en: 'does not have the expected content', 'zh-CN': '内容不符合要求' });
    case 'stay-no-worker':
      return {
        en: {
          problem: 'has stay.js, but no /waypost/stay-worker.js',
          advice: 'Copy both files of deploy/line/www/waypost to the line.',
        },
        'zh-CN': {
          problem: '有 stay.js，但没有 /waypost/stay-worker.js',
          advice: '请将 deploy/line/www/waypost 中的两个文件都复制到线路上。',
        },
      };
    case 'stay-scope':
      return {
        en: {
          problem: 'does not let stay-worker.js act for the whole line',
          advice: 'Send "Service-Worker-Allowed: /" with it, see deploy/line.',
        },
        'zh-CN': {
          problem: 'stay-worker.js 无法作用于整条线路',
          advice: '请在其应答中发送“Service-Worker-Allowed: /”，参见 deploy/line。',
        },
      };
    case 'stay-type':
      return {
        en: {
          problem: 'sends stay-worker.js with a type that browsers do not run',
          advice: 'Send "Content-Type: text/javascript" with it, see deploy/line.',
        },
        'zh-CN': {
          problem: 'stay-worker.js 的类型不正确，浏览器不会运行',
          advice: '请在其应答中发送“Content-Type: text/javascript”，参见 deploy/line。',
        },
      };
    default:
      return sayKind(fault satisfies never);
  }
}

/** A newer portal that shares the database of this one may know more kinds, and its faults are in the incidents there. */
function sayKind({ kind }: { readonly kind: string }): InConsoleLanguages<FaultText> {
  const text = { problem: kind, advice: '' };
  return { en: text, 'zh-CN': text };
}

function sayMarker(
  { header, marker }: Extract<LineFault, { kind: 'no-marker' | 'other-marker' }>,
  problem: InConsoleLanguages,
): InConsoleLanguages<FaultText> {
  return {
    en: { problem: problem.en, advice: `Send "${header}: ${marker}", or correct lines.marker.` },
    'zh-CN': { problem: problem['zh-CN'], advice: `请发送“${header}: ${marker}”，或修正 lines.marker。` },
  };
}

function sayHealth(path: string, what: InConsoleLanguages): InConsoleLanguages<FaultText> {
  return {
    en: {
      problem: `has an application that fails its health check: ${path} ${what.en}`,
      advice: 'Start the application behind the line, or correct lines.health.',
    },
    'zh-CN': {
      problem: `应用异常：${path} ${what['zh-CN']}`,
      advice: '请启动线路背后的应用，或修正 lines.health。',
    },
  };
}

function sayPage(what: InConsoleLanguages): InConsoleLanguages<FaultText> {
  return {
    en: {
      problem: `answers the speed check, but its page ${what.en}`,
      advice: 'Put the site that visitors came for at / on the line, see deploy/line.',
    },
    'zh-CN': {
      problem: `测速有应答，但其首页${what['zh-CN']}`,
      advice: '请在线路的 / 路径放置访客要访问的网站，参见 deploy/line。',
    },
  };
}

function sayUnreachable(code: string): InConsoleLanguages<FaultText> {
  switch (code) {
    case 'ECONNREFUSED':
      return {
        en: {
          problem: 'refused the connection',
          advice: 'Start its server on that port, or take the port out of the site folder.',
        },
        'zh-CN': {
          problem: '拒绝了连接',
          advice: '请在该端口启动其服务器，或从站点目录中去掉该端口。',
        },
      };
    case 'ENOTFOUND':
      return {
        en: {
          problem: 'has no such name in DNS',
          advice: 'Add the name and the wildcard below it, or set noWWW for a line without the wildcard.',
        },
        'zh-CN': {
          problem: '域名在 DNS 中不存在',
          advice: '请添加该域名及其下的泛域名；没有泛域名的线路请设置 noWWW。',
        },
      };
    case 'PRIVATE_ADDRESS':
      return {
        en: {
          problem: 'leads to an address of a private network, which the console does not ask',
          advice: 'Correct its name, or start the portal with WAYPOST_PRIVATE_LINES=on.',
        },
        'zh-CN': {
          problem: '指向私有网络的地址，控制台不会访问',
          advice: '请更正其名称，或在启动门户时设置 WAYPOST_PRIVATE_LINES=on。',
        },
      };
    case 'ECONNRESET':
      return {
        en: { problem: 'ended the connection without an answer', advice: "See its server's error log." },
        'zh-CN': { problem: '没有应答就断开了连接', advice: '请查看其服务器的错误日志。' },
      };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return {
        en: {
          problem: 'does not speak https here',
          advice: 'Give the port its certificate, see deploy/line, or write "http://" in its entry.',
        },
        'zh-CN': {
          problem: '该端口不支持 https',
          advice: '请为该端口配置证书（参见 deploy/line），或在条目中写明“http://”。',
        },
      };
    default:
      return {
        en: {
          problem: `could not be reached (${code})`,
          advice: 'Check that its server runs and that its name is correct.',
        },
        'zh-CN': { problem: `无法连接（${code}）`, advice: '请确认其服务器正在运行，且名称无误。' },
      };
  }
}

function sayCertificate({
  code,
  hostname,
  validTo,
}: Extract<LineFault, { kind: 'certificate' }>): InConsoleLanguages<FaultText> {
  switch (code) {
    case 'CERT_HAS_EXPIRED': {
      const day = new Date(validTo).toISOString().slice(0, 10);
      return {
        en: { problem: `has a certificate that expired on ${day}`, advice: 'Renew it.' },
        'zh-CN': { problem: `证书已于 ${day} 过期`, advice: '请续期。' },
      };
    }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        en: {
          problem: `has a certificate that is not for ${hostname}`,
          advice: 'Get one with the wildcard below its name, or set noWWW for the line.',
        },
        'zh-CN': {
          problem: `证书不适用于 ${hostname}`,
          advice: '请申请包含其下泛域名的证书，或为此线路设置 noWWW。',
        },
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        en: {
          problem: 'has a certificate that is signed by itself, which no browser trusts',
          advice: 'Get one from a public authority.',
        },
        'zh-CN': { problem: '证书是自签名的，浏览器不信任', advice: '请使用公共机构签发的证书。' },
      };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        en: {
          problem: 'has a certificate whose authority is missing or not trusted',
          advice: 'Serve the whole chain (fullchain.pem), from a public authority.',
        },
        'zh-CN': {
          problem: '证书的签发机构缺失或不受信任',
          advice: '请提供公共机构签发的完整证书链（fullchain.pem）。',
        },
      };
    default:
      return {
        en: { problem: `has a certificate that is not valid (${code})`, advice: 'Replace it.' },
        'zh-CN': { problem: `证书无效（${code}）`, advice: '请更换证书。' },
      };
  }
}
