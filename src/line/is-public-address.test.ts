import { expect, test } from 'vitest';
import { createPublicAddressTest } from './is-public-address.ts';

const isPublic = createPublicAddressTest();

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.1.0.1',
  '2a00:1450::1',
  '2001:200::1',
  '2606:4700::1',
])('%s is on the internet', (address) => {
  expect(isPublic(address)).toBe(true);
});

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.9',
  '::1',
  '::',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '100::1',
  '2001::7f00:1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fe80::1%eth0',
  'fec0::1',
  'fd00::1',
  'ff02::1',
])('%s is not', (address) => {
  expect(isPublic(address)).toBe(false);
});
