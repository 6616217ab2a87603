import type { ConsoleLanguage, InConsoleLanguages } from '../../contract/console-language.ts';
import { DAY_MS, MINUTE_MS } from '../../contract/time-units.ts';
import {
  type LineHistory,
  WHOLE_SITE,
  partOfVisitors,
  percentOfProbes,
  percentOfVisitors,
  writePercent,
} from '../../contract/uptime.ts';
import { writeDay } from '../../contract/write-day.ts';
import { writeDuration } from '../../contract/write-duration.ts';
import { writeConsoleUrl } from '../messages/describe-message.ts';
import type { Message } from '../messages/message.ts';
import type { HistoryPeriod } from './list-histories.ts';

export type ReportOptions = {
  readonly id: string;
  readonly site: string;
  readonly language: ConsoleLanguage;
  readonly now: number;
  /** Where people open the console. Empty if nobody said. */
  readonly consoleUrl: string;
};

/** A mail that nobody can read to its end is of no use: the worst come first. */
const MOST_LINES = 50;

/** Writes the report of a week or a month, as a mail to people. */
export function describeReport(
  { all, period }: { readonly all: readonly LineHistory[]; readonly period: HistoryPeriod },
  { id, site, language, now, consoleUrl }: ReportOptions,
): Message {
  const texts = TEXTS[language];
  const whole = all.find(({ line }) => line === WHOLE_SITE);
  const lines = all.filter(({ line, sums }) => line !== WHOLE_SITE && sums.served + sums.probed > 0);
  const sorted = lines.toSorted(
    (one, other) => orderOf(one) - orderOf(other) || other.incidents.totalMs - one.incidents.totalMs,
  );
  const minutes = (period.until - period.firstDay * DAY_MS) / MINUTE_MS;
  const percent = whole && percentOfVisitors(whole.sums);
  const what = percent === undefined ? texts.nothing : texts.gotIn(describePercent(percent, texts));
  const title = texts.title(
    site,
    what,
    writeDay(period.firstDay * DAY_MS),
    writeDay(period.lastDay * DAY_MS),
  );
  const url = writeConsoleUrl(consoleUrl, 'history');
  const text = [
    title,
    ...(whole === undefined ? [] : writeWhole(whole, { minutes, language })),
    ...(sorted.length === 0 ? [] : ['', texts.lines]),
    ...sorted.slice(0, MOST_LINES).map((line) => writeLine(line, language)),
    sorted.length > MOST_LINES ? texts.more(sorted.length - MOST_LINES) : undefined,
    '',
    texts.note,
    url === '' ? undefined : url,
  ];
  return {
    id,
    type: 'report',
    at: now,
    site,
    title,
    text: text.filter((line) => line !== undefined).join('\n'),
    url,
    ...NO_INCIDENT,
    startedAt: period.firstDay * DAY_MS,
    endedAt: period.until,
  };
}

/** A report is about no incident. Mails, the only channels that get it, have the title and the text alone. */
const NO_INCIDENT = {
  incident: '',
  kind: 'visitors-lost',
  severity: 'low',
  subject: '',
  affected: [],
  visitors: 0,
  detail: '',
  lines: [],
} as const;

/** The worst first, and at the end those of which nothing is known. */
function orderOf({ sums }: LineHistory): number {
  return partOfVisitors(sums) ?? Infinity;
}

function writeWhole(
  { sums, incidents }: LineHistory,
  { minutes, language }: { readonly minutes: number; readonly language: ConsoleLanguage },
): readonly string[] {
  const texts = TEXTS[language];
  const count = (number: number): string => number.toLocaleString(language);
  const { totalMs, longestMs, taken, takenAfterMs } = incidents;
  return [
    texts.visitors(describePercent(percentOfVisitors(sums), texts), count(sums.visits)),
    texts.known(count(sums.known), count(minutes)),
    texts.probe(describePercent(percentOfProbes(sums), texts)),
    incidents.count === 0
      ? texts.noIncidents
      : texts.incidents(
          count(incidents.count),
          writeDuration(totalMs, language),
          writeDuration(longestMs ?? 0, language),
        ),
    ...(incidents.count === 0
      ? []
      : [
          takenAfterMs === null
            ? texts.noneTaken
            : texts.taken(count(taken), writeDuration(takenAfterMs, language)),
        ]),
  ];
}

function writeLine({ line, role, sums, incidents }: LineHistory, language: ConsoleLanguage): string {
  const texts = TEXTS[language];
  const visitors = percentOfVisitors(sums);
  const name = role === 'backup' ? texts.backup(line) : role === 'gone' ? texts.gone(line) : line;
  return texts.line(
    name,
    visitors === undefined ? texts.nothing : describePercent(visitors, texts),
    describePercent(percentOfProbes(sums), texts),
    incidents.count === 0 ? '' : texts.ofLine(incidents.count, writeDuration(incidents.totalMs, language)),
  );
}

function describePercent(percent: number | undefined, { percent: write, unknown }: ReportTexts): string {
  return percent === undefined ? unknown : write(writePercent(percent));
}

const EN = {
  title: (site: string, what: string, first: string, last: string) =>
    `[Report] ${site}: ${what}, ${first} to ${last}`,
  gotIn: (percent: string) => `${percent} of the visitors got in`,
  nothing: 'no visits',
  percent: (percent: string) => `${percent}%`,
  unknown: 'unknown',
  visitors: (percent: string, visits: string) => `Visitors who got in: ${percent} (visits: ${visits})`,
  known: (known: string, minutes: string) => `Minutes with visits: ${known} of ${minutes}`,
  probe: (percent: string) => `The server's own probe reached a line: ${percent} of the time`,
  noIncidents: 'Incidents: none',
  incidents: (count: string, total: string, longest: string) =>
    `Incidents: ${count}, in all ${total}, the longest ${longest}`,
  taken: (count: string, duration: string) => `Taken by somebody: ${count}, after ${duration} (median)`,
  noneTaken: 'Taken by somebody: none',
  lines: 'Lines, the worst first (visitors who got in; the server’s probe; incidents):',
  backup: (host: string) => `${host} (backup)`,
  gone: (host: string) => `${host} (no longer on the site)`,
  line: (name: string, visitors: string, probe: string, incidents: string) =>
    [`${name}: ${visitors}`, probe, incidents].filter((part) => part !== '').join('; '),
  ofLine: (count: number, total: string) => `${count} ${count === 1 ? 'incident' : 'incidents'}, ${total}`,
  more: (count: number) => `and ${count} more`,
  note: 'Days are days in UTC. Minutes without visits are unknown, and count neither as good nor as bad.',
};

type ReportTexts = typeof EN;

const ZH_CN: ReportTexts = {
  title: (site, what, first, last) => `[报告] ${site}：${what}，${first} 至 ${last}`,
  gotIn: (percent) => `${percent} 的访客成功进入`,
  nothing: '没有访问',
  percent: (percent) => `${percent}%`,
  unknown: '未知',
  visitors: (percent, visits) => `成功进入的访客：${percent}（访问 ${visits} 次）`,
  known: (known, minutes) => `有访问的分钟：${known} / ${minutes}`,
  probe: (percent) => `服务器探测至少连通一条线路的时间：${percent}`,
  noIncidents: '事件：无',
  incidents: (count, total, longest) => `事件：${count} 起，合计 ${total}，最长 ${longest}`,
  taken: (count, duration) => `有人接手：${count} 起，用时 ${duration}（中位数）`,
  noneTaken: '有人接手：无',
  lines: '线路，最差的在前（成功进入的访客；服务器探测；事件）：',
  backup: (host) => `${host}（备用）`,
  gone: (host) => `${host}（已不在站点中）`,
  line: (name, visitors, probe, incidents) =>
    [`${name}：${visitors}`, probe, incidents].filter((part) => part !== '').join('；'),
  ofLine: (count, total) => `${count} 起事件，${total}`,
  more: (count) => `及另外 ${count} 条`,
  note: '日期按 UTC 计算。没有访问的分钟视为未知，不计为正常，也不计为异常。',
};

const TEXTS: InConsoleLanguages<ReportTexts> = { en: EN, 'zh-CN': ZH_CN };
