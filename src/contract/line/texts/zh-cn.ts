import { SPEED_CHECK_TIMEOUT_MS } from '../../limits.ts';
import { writeDay } from '../../write-day.ts';
import type { FaultOf, FaultText, LineFaultTexts } from './en.ts';

const ANSWER_200 = '请对 /speed.php 应答 200，参见 deploy/line。';

export const zhCN: LineFaultTexts = {
  timeout: {
    problem: `${SPEED_CHECK_TIMEOUT_MS / 1_000} 秒内没有应答`,
    advice: '请确认其服务器正在运行，且防火墙没有丢弃该端口的数据。',
  },
  unreachable: sayUnreachable,
  'mixed-content': ({ portal }) => ({
    problem: `使用 http，${portal} 的页面无法访问`,
    advice: '请为其配置证书，并从条目中去掉“http://”。',
  }),
  certificate: sayCertificate,
  upgrade: { problem: '切换到了其他协议（状态码 101）', advice: ANSWER_200 },
  redirect: ({ location }) => ({
    problem: location === null ? '将测速请求重定向，但没有目的地址' : `将测速请求重定向到 ${location}`,
    advice: '请直接应答 /speed.php：页面不会跟随重定向。',
  }),
  'not-allowed': {
    problem: '不允许本站页面访问',
    advice: '请发送一次（且仅一次）“Access-Control-Allow-Origin: *”。',
  },
  status: ({ status }) => ({ problem: `应答状态码为 ${status}`, advice: ANSWER_200 }),
  'no-marker': (fault) => ({ problem: `没有发送 ${fault.header} 标头`, advice: correctMarker(fault) }),
  'other-marker': (fault) => ({
    problem: `标识为“${fault.found}”，应为“${fault.marker}”`,
    advice: correctMarker(fault),
  }),
  'not-exposed': ({ header }) => ({
    problem: '页面无法读取其标识',
    advice: `请发送“Access-Control-Expose-Headers: ${header}”。`,
  }),
  'page-status': ({ status }) => sayPage(`状态码为 ${status}`),
  'page-no-answer': sayPage('没有应答'),
  'health-no-answer': ({ path }) => sayHealth(path, '没有应答'),
  'health-status': ({ path, status }) => sayHealth(path, `状态码为 ${status}`),
  'health-body': ({ path }) => sayHealth(path, '内容不符合要求'),
  'stay-no-worker': {
    problem: '有 stay.js，但没有 /waypost/stay-worker.js',
    advice: '请将 deploy/line/www/waypost 中的两个文件都复制到线路上。',
  },
  'stay-scope': {
    problem: 'stay-worker.js 无法作用于整条线路',
    advice: '请在其应答中发送“Service-Worker-Allowed: /”，参见 deploy/line。',
  },
  'stay-type': {
    problem: 'stay-worker.js 的类型不正确，浏览器不会运行',
    advice: '请在其应答中发送“Content-Type: text/javascript”，参见 deploy/line。',
  },
};

function correctMarker({ header, marker }: FaultOf<'no-marker' | 'other-marker'>): string {
  return `请发送“${header}: ${marker}”，或修正 lines.marker。`;
}

function sayPage(what: string): FaultText {
  return {
    problem: `测速有应答，但其首页${what}`,
    advice: '请在线路的 / 路径放置访客要访问的网站，参见 deploy/line。',
  };
}

function sayHealth(path: string, what: string): FaultText {
  return {
    problem: `应用异常：${path} ${what}`,
    advice: '请启动线路背后的应用，或修正 lines.health。',
  };
}

function sayUnreachable({ code }: FaultOf<'unreachable'>): FaultText {
  switch (code) {
    case 'ECONNREFUSED':
      return { problem: '拒绝了连接', advice: '请在该端口启动其服务器，或从站点目录中去掉该端口。' };
    case 'ENOTFOUND':
      return {
        problem: '域名在 DNS 中不存在',
        advice: '请添加该域名及其下的泛域名；没有泛域名的线路请设置 noWWW。',
      };
    case 'PRIVATE_ADDRESS':
      return {
        problem: '指向私有网络的地址，控制台不会访问',
        advice: '请更正其名称，或在启动门户时设置 WAYPOST_PRIVATE_LINES=on。',
      };
    case 'ECONNRESET':
      return { problem: '没有应答就断开了连接', advice: '请查看其服务器的错误日志。' };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return {
        problem: '该端口不支持 https',
        advice: '请为该端口配置证书（参见 deploy/line），或在条目中写明“http://”。',
      };
    default:
      return { problem: `无法连接（${code}）`, advice: '请确认其服务器正在运行，且名称无误。' };
  }
}

function sayCertificate({ code, hostname, validTo }: FaultOf<'certificate'>): FaultText {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        problem: `证书已于 ${writeDay(validTo)} 过期`,
        advice: '请续期。',
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        problem: `证书不适用于 ${hostname}`,
        advice: '请申请包含其下泛域名的证书，或为此线路设置 noWWW。',
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return { problem: '证书是自签名的，浏览器不信任', advice: '请使用公共机构签发的证书。' };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        problem: '证书的签发机构缺失或不受信任',
        advice: '请提供公共机构签发的完整证书链（fullchain.pem）。',
      };
    default:
      return { problem: `证书无效（${code}）`, advice: '请更换证书。' };
  }
}
