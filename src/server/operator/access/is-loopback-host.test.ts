import { expect, test } from 'vitest';
import { isLoopbackHost } from './is-loopback-host.ts';

test.each([
  'localhost',
  'localhost:8081',
  'waypost.localhost:80',
  '127.0.0.1:8081',
  '127.9.9.9',
  '[::1]:8081',
])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:8081',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost',
  '10.0.0.1',
  'localhost:8081@evil.example',
])('%s is not', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
