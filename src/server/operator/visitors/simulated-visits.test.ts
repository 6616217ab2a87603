import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EVENT_NAMES, type VisitEvents } from '../../../contract/visit-events.ts';
import { DEVICES, VISIT_STEPS, VITALS, type VisitorNumbers } from '../../../contract/visitors.ts';
import { createRandom } from '../../../engine/testing/create-random.ts';
import { tenthOf } from '../../../engine/testing/tenth-of.ts';
import { describeVisitors } from './describe-visitors.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { PATIENCE } from '../../testing/patience.ts';
import { createSiteFiles } from '../../testing/site-files.ts';
import { startPostgres } from '../../testing/start-postgres.ts';
import { type TestPortal, createTestPortal } from '../../testing/test-portal.ts';
import { type VisitKeeper, keepVisits } from '../../visitors/keep-visits.ts';

const NOW = Date.UTC(2026, 10, 16, 12);
const HOSTS = ['a.example', 'b.example', 'c.example'];
const COUNTRIES = ['SG', 'MY', 'GB'];
const log = pino({ level: 'silent' });

type Replica = { portal: TestPortal; visits: VisitKeeper; readonly url: string };

async function startPortal(url: string): Promise<Replica> {
  const database = await openTestDatabase({ url });
  const visits = keepVisits({ database, log, now: () => NOW });
  const files = await createSiteFiles((config) => {
    Object.assign(config.lines as object, { hosts: HOSTS });
    Object.assign(config, {
      analytics: { counts: 'self' },
      network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'x-country' },
    });
  });
  return { url, visits, portal: await createTestPortal({ files, visits }) };
}

/** What the visits did, counted by the one who made them up. */
function createTally() {
  const counts: Record<string, number> = {};
  const add = (name: string, times = 1): void => {
    counts[name] = (counts[name] ?? 0) + times;
  };
  return { counts, add };
}

/** The same names for what the console is told. */
function readNumbers(numbers: VisitorNumbers): Record<string, number> {
  const { steps, controls, lines, referrers, countries, languages, devices, vitals } = numbers;
  const all: readonly (readonly [string, number])[] = [
    ...Object.entries(steps).map(([step, { now }]) => [`step ${step}`, now] as const),
    ...controls.flatMap(({ name, now, mobile }) => [
      [`mobile ${name}`, mobile] as const,
      [`pc ${name}`, now - mobile] as const,
    ]),
    ...lines.map(({ name, now }) => [`line ${name}`, now] as const),
    ...referrers.map(({ name, now }) => [`from ${name}`, now] as const),
    ...[...countries, ...languages, ...devices].flatMap(({ name, views, entered }) => [
      [`${name} views`, views.now] as const,
      [`${name} entered`, entered.now] as const,
    ]),
    ...Object.entries(vitals).map(([name, { now }]) => [`vital ${name}`, now.count] as const),
  ];
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

const VISITS = tenthOf(10_000);

test(`the numbers of ${VISITS} visits through two portals and a killed database are what the visits did`, async () => {
  const random = createRandom(20);
  const draw = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T; // The lists here are not empty.
  const server = await startPostgres();
  onTestFinished(server.close);
  const url = await server.createDatabase();
  const replicas = [await startPortal(url), await startPortal(url)];
  const { counts, add } = createTally();

  async function visit(number: number): Promise<void> {
    const device = draw(DEVICES);
    const language = draw(['zh-CN', 'zh-TW', 'en']);
    const country = draw(COUNTRIES);
    const referrer = draw(['', 'search.example', 'forum.example']);
    const taken = Math.ceil(random() * VISIT_STEPS.length);
    const headers = { 'x-forwarded-for': `198.${number >> 8}.${number & 255}.7`, 'x-country': country };
    const replica = draw(replicas);
    // A page sends what happened since its last batch.
    for (const [index, step] of VISIT_STEPS.slice(0, taken).entries()) {
      const event = draw(EVENT_NAMES);
      const times = 1 + Math.floor(random() * 3);
      const host = draw(HOSTS);
      const vital = draw(VITALS);
      const batch: VisitEvents = {
        device,
        language,
        referrer,
        steps: [step],
        events: { [event]: times },
        lines: step === 'entered' ? { [host]: 1 } : {},
        vitals: index === 0 ? { [vital]: random() * 5_000 } : {},
      };
      add(`step ${step}`);
      add(`${device} ${event}`, times);
      if (index === 0) add(`vital ${vital}`);
      if (step === 'page_view') add(`from ${referrer}`);
      if (step === 'entered') add(`line ${host}`);
      for (const group of [device, language, country]) {
        if (step === 'page_view') add(`${group} views`);
        if (step === 'entered') add(`${group} entered`);
      }
      const body = JSON.stringify(batch);
      const question = { method: 'POST', body, headers, from: '10.0.0.1' };
      const { status } = await replica.portal.ask('/api/events', question);
      expect(status).toBe(204);
    }
  }

  /** What repeats in a portal that runs. */
  const writeAll = async (): Promise<void> => {
    // While the database is away, the numbers wait.
    for (const { visits } of replicas) await visits.write().catch(() => undefined);
  };

  for (let number = 0; number < VISITS; number += 1) {
    await visit(number);
    if (number % Math.floor(VISITS / 40) === 0) await writeAll();
    // The database is away for a while, twice.
    if (number === Math.floor(VISITS * 0.2) || number === Math.floor(VISITS * 0.6)) await server.kill();
    if (number === Math.floor(VISITS * 0.4) || number === Math.floor(VISITS * 0.7)) await server.start();
    const [first] = replicas;
    if (number === Math.floor(VISITS * 0.5) && first) {
      // A portal is restarted.
      await first.visits.close();
      Object.assign(first, await startPortal(first.url));
    }
  }
  for (const { visits } of replicas) await vi.waitFor(visits.write, PATIENCE);
  for (const { visits } of replicas) {
    const numbers = await describeVisitors('today', { visits, isOn: true, now: NOW });
    expect(readNumbers(numbers)).toEqual(counts);
  }
});
