import type { FaultText } from '../../contract/line/describe-fault.ts';
import type { LineFault } from '../../contract/line/line-fault.ts';
import { SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';

/** Says in Chinese what `describeFault` says in English. The problem comes without its full stop. */
export function describeFaultInChinese(fault: LineFault): FaultText {
  switch (fault.kind) {
    case 'timeout':
      return {
        problem: `${SPEED_CHECK_TIMEOUT_MS / 1000} 秒内没有应答`,
        advice: '请确认其服务器正在运行，且防火墙没有丢弃该端口的数据。',
      };
    case 'unreachable':
      return describeUnreachable(fault.code);
    case 'mixed-content':
      return {
        problem: `使用 http，${fault.portal} 的页面无法访问`,
        advice: '请为其配置证书，并从条目中去掉“http://”。',
      };
    case 'certificate':
      return describeCertificate(fault);
    case 'upgrade':
      return {
        problem: '切换到了其他协议（状态码 101）',
        advice: '请对 /speed.php 应答 200，参见 deploy/line。',
      };
    case 'redirect':
      return {
        problem:
          fault.location === null
            ? '将测速请求重定向，但没有目的地址'
            : `将测速请求重定向到 ${fault.location}`,
        advice: '请直接应答 /speed.php：页面不会跟随重定向。',
      };
    case 'not-allowed':
      return {
        problem: '不允许本站页面访问',
        advice: '请发送一次（且仅一次）“Access-Control-Allow-Origin: *”。',
      };
    case 'status':
      return {
        problem: `应答状态码为 ${fault.status}`,
        advice: '请对 /speed.php 应答 200，参见 deploy/line。',
      };
    case 'no-marker':
      return {
        problem: `没有发送 ${fault.header} 标头`,
        advice: `请发送“${fault.header}: ${fault.marker}”，或修正 lines.marker。`,
      };
    case 'other-marker':
      return {
        problem: `标识为“${fault.found}”，应为“${fault.marker}”`,
        advice: `请发送“${fault.header}: ${fault.marker}”，或修正 lines.marker。`,
      };
    case 'not-exposed':
      return {
        problem: '页面无法读取其标识',
        advice: `请发送“Access-Control-Expose-Headers: ${fault.header}”。`,
      };
    case 'page-status':
      return describePage(`状态码为 ${fault.status}`);
    case 'page-no-answer':
      return describePage('没有应答');
    case 'health-no-answer':
      return describeHealth(fault.path, '没有应答');
    case 'health-status':
      return describeHealth(fault.path, `状态码为 ${fault.status}`);
    case 'health-body':
      return describeHealth(fault.path, '内容不符合要求');
  }
}

function describeHealth(path: string, what: string): FaultText {
  return {
    problem: `应用异常：${path} ${what}`,
    advice: '请启动线路背后的应用，或修正 lines.health。',
  };
}

function describePage(what: string): FaultText {
  return {
    problem: `测速有应答，但其首页${what}`,
    advice: '请在线路的 / 路径放置访客要访问的网站，参见 deploy/line。',
  };
}

function describeUnreachable(code: string): FaultText {
  switch (code) {
    case 'ECONNREFUSED':
      return {
        problem: '拒绝了连接',
        advice: '请在该端口启动其服务器，或从站点目录中去掉该端口。',
      };
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

function describeCertificate({
  code,
  hostname,
  validTo,
}: Extract<LineFault, { kind: 'certificate' }>): FaultText {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        problem: `证书已于 ${new Date(validTo).toISOString().slice(0, 10)} 过期`,
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
