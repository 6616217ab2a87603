import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { describeFault } from './describe-fault.ts';
import { writePlaced } from './faults/site-fault.ts';
import type { IncidentDetail } from './incidents.ts';

/** A newer portal may send kinds that are not in this table. */
const NOT_REACHED: Readonly<Partial<Record<string, InConsoleLanguages>>> = {
  visitors: { en: 'visitors do not reach it', 'zh-CN': '访客无法连通' },
  'some-visitors': {
    en: 'some visitors of several networks do not reach it',
    'zh-CN': '多个网络中有部分访客无法连通',
  },
  // The places are named beside it.
  'visitors-and-some-elsewhere': {
    en: 'visitors of the named places do not reach it, and some of other networks do not, either',
    'zh-CN': '所列范围的访客无法连通，其他网络中也有部分访客无法连通',
  },
} satisfies Record<Extract<IncidentDetail, { kind: 'not-reached' }>['by'], InConsoleLanguages>;

/** Says what the server saw, for messages, commands and the console. Empty if there is nothing to say. */
export function describeDetail(detail: IncidentDetail, language: ConsoleLanguage): string {
  return sayInAllLanguages(detail)[language];
}

function sayInAllLanguages(detail: IncidentDetail): InConsoleLanguages {
  switch (detail.kind) {
    case 'line-faults': {
      const { faults } = detail;
      const say = (language: ConsoleLanguage) =>
        faults.map((fault) => describeFault(fault, language).problem);
      return { en: say('en').join('; '), 'zh-CN': say('zh-CN').join('；') };
    }
    case 'not-reached':
      return NOT_REACHED[detail.by] ?? sayKind(detail);
    case 'slow': {
      const times = detail.times.toFixed(1);
      return {
        en: `it takes visitors ${times} times as long as before, while the other lines do not`,
        'zh-CN': `访客的用时是之前的 ${times} 倍，而其他线路没有变化`,
      };
    }
    case 'cut-off':
      return {
        en: 'reaches none of the lines and backups: either this portal has no network, or all lines are down',
        'zh-CN': '无法连接任何线路和备用线路：本门户可能已断网，或线路已全部中断',
      };
    case 'certificate-ends': {
      const day = new Date(detail.at).toISOString().slice(0, 10);
      return detail.hasEnded
        ? { en: `its certificate ended on ${day}`, 'zh-CN': `证书已于 ${day} 到期` }
        : { en: `its certificate ends on ${day}`, 'zh-CN': `证书将于 ${day} 到期` };
    }
    case 'visitors-stranded': {
      const { minutes } = detail;
      const [percent, allowed] = [detail.percent, detail.allowedPercent].map(writePercent);
      return {
        en: `${percent} of the visitors of the last ${minutes} minutes reached no line; at most ${allowed} may`,
        'zh-CN': `最近 ${minutes} 分钟内，${percent} 的访客无法进入任何线路（允许 ${allowed}）`,
      };
    }
    case 'visitors-missing': {
      const { minutes } = detail;
      const percent = writePercent(detail.percent);
      return {
        en: `${percent} of the visitors who come at this hour of other weeks came in the last ${minutes} minutes`,
        'zh-CN': `最近 ${minutes} 分钟的访客只有往常同一时段的 ${percent}`,
      };
    }
    case 'site-fault': {
      const { place, sentences } = detail.fault;
      return { en: writePlaced(place, sentences.en), 'zh-CN': writePlaced(place, sentences['zh-CN']) };
    }
    case 'store':
      return detail.store === 'database'
        ? { en: 'it does not answer: each portal goes on alone', 'zh-CN': '数据库没有响应：各门户各自运行' }
        : { en: 'the data folder cannot be written', 'zh-CN': '数据目录无法写入' };
    case 'reports-refused': {
      const { reports, minutes } = detail;
      return {
        en: `${reports} reports were refused in the last ${minutes} minutes, more than were taken`,
        'zh-CN': `最近 ${minutes} 分钟内有 ${reports} 份上报被拒绝，多于被接受的`,
      };
    }
    case 'regions-unknown': {
      const { minutes } = detail;
      const percent = writePercent(detail.percent);
      return {
        en: `the region of ${percent} of the callers of the last ${minutes} minutes is unknown`,
        'zh-CN': `最近 ${minutes} 分钟内，${percent} 的访客地区未知`,
      };
    }
    case 'channel-late': {
      const { host, seconds } = detail;
      return {
        en: host === undefined ? `no answer within ${seconds} s` : `${host}: no answer within ${seconds} s`,
        'zh-CN': host === undefined ? `${seconds} 秒内没有应答` : `${host}：${seconds} 秒内没有应答`,
      };
    }
    case 'channel-unreachable': {
      const { host, code } = detail;
      return {
        en: `${host}: ${code ?? 'cannot be reached'}`,
        'zh-CN': code === undefined ? `无法连接 ${host}` : `无法连接 ${host}（${code}）`,
      };
    }
    case 'channel-status': {
      const { host, status } = detail;
      return { en: `${host} answered with status ${status}`, 'zh-CN': `${host} 应答状态码为 ${status}` };
    }
    case 'channel-private':
      return {
        en: `${detail.host} is an address of this machine or of a private network: WAYPOST_PRIVATE_ALERTS=on allows those`,
        'zh-CN': `${detail.host} 是本机或私有网络的地址，设置 WAYPOST_PRIVATE_ALERTS=on 后才允许`,
      };
    case 'channel-secret-missing': {
      const { place, name } = detail;
      return place === 'variable'
        ? { en: `the variable ${name} is not set`, 'zh-CN': `变量 ${name} 未设置` }
        : {
            en: `the file secrets/${name} is missing or empty`,
            'zh-CN': `文件 secrets/${name} 不存在或为空`,
          };
    }
    case 'channel-secret-wrong':
      return {
        en: 'its secret is not the token of a bot, such as 123456:ABC-DEF',
        'zh-CN': '其密钥不是机器人的令牌，例如 123456:ABC-DEF',
      };
    case 'channel-url-wrong':
      return {
        en: 'what its variable or file holds is not the address of a webhook, such as https://…',
        'zh-CN': '变量或文件中的内容不是 Webhook 地址，例如 https://…',
      };
    case 'channel-refused': {
      const { host = 'Telegram', reason } = detail;
      return { en: `${host} refused it: ${reason}`, 'zh-CN': `${host} 拒绝了消息：${reason}` };
    }
    case 'test':
      return { en: 'this is only a test', 'zh-CN': '这只是一条测试消息' };
    case 'text':
      return { en: detail.text, 'zh-CN': detail.text };
    default:
      return sayKind(detail satisfies never);
  }
}

/** A newer portal that shares the database of this one may know more kinds. */
function sayKind({ kind }: { readonly kind: string }): InConsoleLanguages {
  return { en: kind, 'zh-CN': kind };
}

function writePercent(percent: number): string {
  return `${percent.toFixed(1)} %`;
}
