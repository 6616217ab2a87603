import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createConsent } from '../../kit/consent/create-consent.ts';
import { collectErrors } from './collect-errors.ts';

function open() {
  const page = new EventTarget();
  const consent = createConsent({ isRequired: true, hasPrivacySignal: false, store: createMemoryStore() });
  const errors = collectErrors(page as never, consent);
  return {
    consent,
    fail: (message: string): void => {
      page.dispatchEvent(Object.assign(new Event('error'), { message }));
    },
    hear: (): readonly string[] => {
      const heard: string[] = [];
      errors.subscribe(({ event }) => 'message' in event && heard.push(event.message))();
      return heard;
    },
  };
}

test('keeps what fails until the visitor agrees', () => {
  const { consent, fail, hear } = open();
  fail('before the answer');
  consent.choose('granted');
  expect(hear()).toEqual(['before the answer']);
});

test('drops what failed before the visitor refused', () => {
  const { consent, fail, hear } = open();
  fail('before the answer');
  consent.choose('refused');
  consent.choose('granted');
  expect(hear()).toEqual([]);
});

test('drops what fails while the visitor refuses', () => {
  const { consent, fail, hear } = open();
  consent.choose('refused');
  fail('after the answer');
  consent.choose('granted');
  fail('now');
  expect(hear()).toEqual(['now']);
});
