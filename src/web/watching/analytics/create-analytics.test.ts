import { describe, expect, test } from 'vitest';
import { VISIT_KEY } from '../../../contract/page/storage-keys.ts';
import type { Device } from '../../../contract/visitors.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createConsent } from '../../kit/consent/create-consent.ts';
import { type TrackedEvent, createAnalytics } from './create-analytics.ts';
import { createGtag } from './create-gtag.ts';

const BEGAN = new Date(0);
const ENTERED = {
  row: {
    number: 2,
    host: 'line2.example',
    address: 'https://line2.example',
    isBackup: false,
    speed: { key: 'testing' },
    cause: undefined,
    isFastest: false,
  },
  clickedAt: 1_000,
} as const;

type Given = {
  isRequired?: boolean;
  hasPrivacySignal?: boolean;
  measurementId?: string;
  hasRefused?: boolean;
};

function open({
  isRequired = false,
  hasPrivacySignal = false,
  measurementId,
  hasRefused = false,
}: Given = {}) {
  const page: { dataLayer?: unknown[] } = {};
  const visitStore = createMemoryStore();
  const consent = createConsent({ isRequired, hasPrivacySignal, store: createMemoryStore() });
  if (hasRefused) consent.choose('refused');
  let device: Device = 'mobile';
  const start = () =>
    createAnalytics({
      gtag: createGtag(page),
      consent,
      measurementId,
      readDevice: () => device,
      referrer: 'https://from.example/',
      visitStore,
      readDate: () => BEGAN,
    });
  return {
    page,
    consent,
    visitStore,
    start,
    analytics: start(),
    turn: () => (device = 'pc'),
    commands: () => (page.dataLayer ?? []).map((entry) => Array.from(entry as ArrayLike<unknown>)),
  };
}

const REFERRER = [
  'event',
  'site_referrer',
  { device: 'mobile', function: 'site_referrer', referrer: 'https://from.example/' },
];
const everything = (setting: string) => ({
  ad_storage: setting,
  ad_user_data: setting,
  ad_personalization: setting,
  analytics_storage: setting,
});

describe('createAnalytics', () => {
  test('pushes arguments objects, as the tag wants them', () => {
    const { page } = open();
    expect(Object.prototype.toString.call(page.dataLayer?.[0])).toBe('[object Arguments]');
  });

  test('keeps what is used until it is counted, also before consent, until the visitor refuses', () => {
    const { analytics, consent } = open({ isRequired: true });
    const names = () => analytics.uses.map(({ name }) => name);
    analytics.track({ name: 'retest' });
    expect(names()).toEqual(['retest']);
    consent.choose('granted');
    expect(names()).toEqual(['retest', 'site_referrer']);
    consent.choose('refused');
    analytics.track({ name: 'retest' });
    expect(names()).toEqual([]);
    consent.choose('granted');
    analytics.track({ name: 'tip_ub' });
    expect(names()).toEqual(['tip_ub']);
  });

  test('puts the tag’s own commands first where there is one', () => {
    expect(open({ measurementId: 'G-TEST' }).commands()).toEqual([
      ['js', BEGAN],
      ['config', 'G-TEST'],
      REFERRER,
    ]);
  });

  test('tells each event with the device of that moment, its own name and its parameters', () => {
    const { analytics, commands, turn } = open();
    analytics.track({ name: 'header_service' });
    turn();
    analytics.track({ name: 'official_line', index: 2, entered: ENTERED });
    expect(commands()).toEqual([
      REFERRER,
      ['event', 'header_service', { device: 'mobile', function: 'header_service' }],
      ['event', 'official_line', { device: 'pc', function: 'official_line', index: 2 }],
    ]);
  });

  test('tells the referrer once a visit', () => {
    const { start, commands } = open();
    start();
    expect(commands()).toEqual([REFERRER]);
  });

  test('holds events back, with the device of their moment, until the visitor agrees', () => {
    const { analytics, page, commands, visitStore, consent, turn } = open({
      isRequired: true,
      measurementId: 'G-TEST',
    });
    analytics.track({ name: 'retest' });
    expect(page.dataLayer).toBeUndefined();
    expect(visitStore.get(VISIT_KEY)).toBeNull();
    consent.choose('granted');
    turn();
    analytics.track({ name: 'tip_ub' });
    expect(commands()).toEqual([
      ['consent', 'default', everything('denied')],
      ['js', BEGAN],
      ['config', 'G-TEST'],
      ['consent', 'update', everything('granted')],
      REFERRER,
      ['event', 'retest', { device: 'mobile', function: 'retest' }],
      ['event', 'tip_ub', { device: 'pc', function: 'tip_ub' }],
    ]);
    expect(visitStore.get(VISIT_KEY)).toBe('1');
  });

  test('forgets what it held back when the visitor refuses, also if they agree later', () => {
    const { analytics, page, commands, consent } = open({ isRequired: true });
    analytics.track({ name: 'retest' });
    consent.choose('refused');
    analytics.track({ name: 'tip_ub' });
    expect(page.dataLayer).toBeUndefined();
    consent.choose('granted');
    expect(commands().filter(([command]) => command === 'event')).toEqual([REFERRER]);
  });

  test('tells the referrer once a visit where consent is asked, too', () => {
    const { start, commands, consent } = open({ isRequired: true });
    start();
    consent.choose('granted');
    start();
    expect(commands().filter(([command]) => command === 'event')).toEqual([REFERRER]);
  });

  test('says nothing from a refusal on, and takes consent back where it was given', () => {
    const { analytics, commands, visitStore, consent } = open({ isRequired: true });
    consent.choose('granted');
    consent.choose('refused');
    analytics.track({ name: 'retest' });
    expect(commands().at(-1)).toEqual(['consent', 'update', everything('denied')]);
    expect(visitStore.get(VISIT_KEY)).toBeNull();
  });

  test('says nothing at all under the privacy signal', () => {
    const { analytics, page } = open({ hasPrivacySignal: true, measurementId: 'G-TEST' });
    analytics.track({ name: 'retest' });
    expect(page.dataLayer).toBeUndefined();
  });

  test('begins when a refusal is taken back', () => {
    const { consent, commands } = open({ isRequired: true, hasRefused: true });
    expect(commands()).toEqual([]);
    consent.choose('granted');
    expect(commands()).toEqual([
      ['consent', 'default', everything('denied')],
      ['consent', 'update', everything('granted')],
      REFERRER,
    ]);
  });

  test('lets a late subscriber hear what came before', () => {
    const { analytics } = open();
    analytics.track({ name: 'official_line', index: 3, entered: ENTERED });
    const heard: TrackedEvent[] = [];
    const end = analytics.subscribe((event) => heard.push(event));
    analytics.track({ name: 'tip_ub' });
    end();
    analytics.track({ name: 'tip_service' });
    expect(heard.map(({ name }) => name)).toEqual(['site_referrer', 'official_line', 'tip_ub']);
    expect(heard[1]?.entered).toBe(ENTERED);
  });
});
