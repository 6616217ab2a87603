const COUNTS = ['src/web/watching/counts/open-counts.test.ts'];
const PAGES = ['src/web/watching/counts/render-page-count.test.ts'];
const EVENTS = ['src/server/portal/answer-events.test.ts'];
const KEEPER = ['src/server/visitors/keep-visits.test.ts'];
const MOMENTS = ['src/server/operator/moments/past.test.ts'];
const WORKER = ['src/web/offline/create-offline-worker.test.ts'];
const KEPT_PAGE = ['src/web/offline/keep-page.test.ts'];
const OFFLINE = ['src/server/portal/offline.test.ts'];

/** What is counted of visits, and what browsers keep for a time without a portal. */
export const VISIT_MUTANTS = [
  // Names
  {
    file: 'src/server/site/create-line-table.ts',
    find: 'const host = nameHost(entry);',
    replace: 'const host = entry;',
    tests: EVENTS,
    loses: 'A line that is written with https:// is counted as “other”.',
  },
  {
    file: 'src/server/messages/choose-messages.ts',
    find: "nameWithoutScheme(pattern).replace(/^https?:\\/\\//, '')",
    replace: 'pattern',
    tests: ['src/server/messages/choose-messages.test.ts'],
    loses: 'A rule for a line that is written with https:// tells nobody.',
  },

  // Consent
  {
    file: 'src/web/watching/counts/open-counts.ts',
    find: "(!!withoutConsent && choice !== 'refused')",
    replace: '!!withoutConsent',
    tests: COUNTS,
    loses: 'Visitors who refused are counted.',
  },
  {
    file: 'src/web/watching/analytics/start-analytics.ts',
    find: 'if (counts?.withoutConsent && consent',
    replace: 'if (consent',
    spec: 'e2e/visitors.spec.ts',
    title: 'nothing is loaded or sent before',
    loses: 'What counts is loaded for visitors who have not agreed.',
  },
  {
    file: 'src/web/watching/counts/render-page-count.ts',
    find: `withoutConsent ? 'c==="refused"' : 'c!=="granted"'`,
    replace: `'c==="refused"'`,
    tests: PAGES,
    loses: 'Visits of /r are counted before the visitor has agreed.',
  },
  {
    file: 'src/web/watching/counts/render-page-count.ts',
    find: 'if(n.globalPrivacyControl)return;',
    replace: '',
    tests: PAGES,
    loses: 'A browser that sends Global Privacy Control is counted on /r.',
  },
  {
    file: 'src/web/watching/counts/open-counts.ts',
    find: 'isUse ? USE_PAUSE_MS : PAUSE_MS',
    replace: 'PAUSE_MS',
    tests: COUNTS,
    loses: 'A click is lost with a page that the browser ends within 5 s.',
  },
  {
    file: 'src/web/watching/counts/open-counts.ts',
    find: 'if (!mayCount() || !(hasNews || lastVitals)) return;',
    replace: 'if (!(hasNews || lastVitals)) return;',
    tests: COUNTS,
    loses: 'A visitor who takes consent back is counted when they leave.',
  },
  {
    file: 'src/web/watching/counts/open-counts.ts',
    find: 'if (!isReached || taken.has(step)) return;',
    replace: 'if (!isReached) return;',
    tests: COUNTS,
    loses: 'One visit counts as several.',
  },
  {
    file: 'src/server/portal/answer-events.ts',
    find: "if (visit.site.config.analytics.counts === 'off') refuseUnknownPath();",
    replace: '',
    tests: EVENTS,
    loses: 'A site that counts nothing counts what anybody sends.',
  },
  {
    file: 'src/server/portal/answer-events.ts',
    find: 'if (isRestricted(visit)) refuseRegion();',
    replace: '',
    tests: EVENTS,
    loses: 'Visitors of restricted regions are counted.',
  },
  {
    file: 'src/server/portal/answer-events.ts',
    find: 'if (isCounted) {',
    replace: '{',
    tests: EVENTS,
    loses: 'One network can make up any number of visits.',
  },

  // The numbers
  {
    file: 'src/server/visitors/cells.ts',
    find: 'CELLS.line(isLine(host) ? host : OTHER)',
    replace: 'CELLS.line(host)',
    tests: EVENTS,
    loses: 'Anybody can write names into the table of lines.',
  },
  {
    file: 'src/server/visitors/keep-visits.ts',
    find: 'if (!(await noteBatch(tx, writer, number))) return;',
    replace: '',
    tests: KEEPER,
    loses: 'Visits count twice after an answer of the database was lost.',
  },
  {
    file: 'src/server/visitors/keep-visits.ts',
    find: 'times = ${table}_${by}s.times + excluded.times',
    replace: 'times = excluded.times',
    tests: KEEPER,
    loses: 'The numbers of one portal replace those of another.',
  },
  {
    file: 'src/server/visitors/keep-visits.ts',
    find: 'known.has(name) || known.size < mostMadeUp;',
    replace: 'true;',
    tests: KEEPER,
    loses: 'Visitors who make referrers up fill the database.',
  },
  {
    file: 'src/server/visitors/keep-visits.ts',
    find: 'await removeHours(tables, table, oldestDay * DAY_HOURS);',
    replace: '',
    tests: KEEPER,
    loses: 'The numbers of visits are kept for ever.',
  },
  {
    file: 'src/server/moments/keep-moments.ts',
    find: 'Math.max(now() - MOMENTS_KEPT_MS, tooMuch?.at ?? 0),',
    replace: 'now() - MOMENTS_KEPT_MS,',
    tests: MOMENTS,
    loses: 'What the console showed on a large site fills the disk.',
  },
  {
    file: 'src/server/operator/moments/take-moments.ts',
    find: ' || now - at >= LATEST_MS',
    replace: '',
    tests: MOMENTS,
    loses: 'After a pause the console shows what is now as what was minutes ago.',
  },
  {
    file: 'src/server/visitors/source-cells.ts',
    find: "(kind === 'campaign' && !isCampaign(name))",
    replace: 'false',
    tests: ['src/server/visitors/source-cells.test.ts'],
    loses: 'Anybody can write codes into the table of campaigns.',
  },
  {
    file: 'src/server/visitors/source-cells.ts',
    find: 'mostMadeUp: 300,',
    replace: 'mostMadeUp: Infinity,',
    tests: ['src/server/visitors/source-cells.test.ts'],
    loses: 'Visitors who make parameters up fill the database.',
  },

  // What browsers keep
  {
    file: 'src/web/offline/create-offline-worker.ts',
    find: "if (readClosing(answered) || answered.headers.get(OFFLINE_HEADER) === 'off') return forget(deps);",
    replace: '',
    tests: WORKER,
    loses: 'A visitor whose region is not served any more keeps lines.',
  },
  {
    file: 'src/web/offline/create-offline-worker.ts',
    find: 'return !GATEWAY_FAULTS.has(answer.status) || readClosing(answer) !== undefined;',
    replace: 'return !GATEWAY_FAULTS.has(answer.status);',
    tests: WORKER,
    loses: 'While a maintenance closes the site, visitors get lines from before.',
  },
  {
    file: 'src/web/offline/create-offline-worker.ts',
    find: 'shellClients.has(clientId) || shellClients.has(undefined)',
    replace: 'true',
    tests: WORKER,
    loses: 'Pages of a portal that answers get old files.',
  },
  {
    file: 'src/web/offline/create-offline-worker.ts',
    find: 'if (searchParams.has(FRESH_PARAMETER)) return undefined;',
    replace: '',
    tests: WORKER,
    loses: 'The way past the worker is closed.',
  },
  {
    file: 'src/contract/page/kept-lines.ts',
    find: 'Math.min(days, OFFLINE_MAX_DAYS)',
    replace: 'days',
    tests: WORKER,
    loses: 'A changed shell makes lines count for ever.',
  },
  {
    file: 'src/contract/page/kept-lines.ts',
    find: 'if (!(at <= now && now < until)) return undefined;',
    replace: '',
    tests: WORKER,
    loses: 'Lines of last year are offered.',
  },
  {
    file: 'src/engine/probe/probe-line.ts',
    find: 'isOurLine(response, settings) ?',
    replace: 'response.ok ?',
    tests: WORKER,
    loses: 'A changed list of kept lines sends visitors to a server that is not the brand’s.',
  },
  {
    file: 'src/web/offline/keep-page.ts',
    find: 'board.subscribe(() => isRefused() && void forget().catch(() => undefined));',
    replace: '',
    tests: KEPT_PAGE,
    loses: 'A region that is refused at a retest keeps its lines.',
  },
  {
    file: 'src/web/offline/keep-page.ts',
    find: 'if (isRefused()) await forget();',
    replace: '',
    tests: KEPT_PAGE,
    loses: 'What was being kept when the region was refused stays.',
  },
  {
    file: 'src/server/portal/answer-offline.ts',
    find: ' && !findClosing(visit);',
    replace: ';',
    tests: OFFLINE,
    loses: 'Browsers in restricted regions get the worker that keeps lines.',
  },
  {
    file: 'src/server/uptime/create-minute-book.ts',
    find: 'leftOut: isLeftOut ? 1 : 0',
    replace: 'leftOut: 0',
    tests: ['src/server/uptime/create-minute-book.test.ts'],
    loses: 'A line that was down for a day looks as if it had been well.',
  },
  {
    file: 'src/server/uptime/create-uptime-store.ts',
    find: 'isLastWrong || minute > last',
    replace: 'true',
    tests: ['src/server/uptime/create-uptime-store.test.ts'],
    loses: 'Minutes count twice in the history when another portal takes over.',
  },
  {
    file: 'src/server/portal/answer-offline.ts',
    find: 'refuseIfClosed(visit);',
    replace: '',
    tests: OFFLINE,
    loses: 'Browsers in restricted regions get the shells.',
  },
  {
    file: 'src/server/operator/visitors/compare-periods.ts',
    find: 'subtractPart(whole, hours.get(lastHour), partToCome)',
    replace: 'whole',
    tests: ['src/server/operator/visitors/visitor-routes.test.ts'],
    loses: 'At four minutes past the hour, nearly all visitors of the hour seem to be lost.',
  },
  {
    file: 'src/server/operator/lines/keep-line-states.ts',
    find: 'Math.min(running, known[0]?.from ?? Infinity)',
    replace: 'running + 1',
    tests: ['src/server/operator/lines/keep-line-states.test.ts'],
    loses: 'After a restart, what was seen before stands in the place of what is seen now.',
  },
];
