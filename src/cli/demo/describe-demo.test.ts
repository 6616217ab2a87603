import { expect, test } from 'vitest';
import { type DemoPlaces, describeDemo, describeTour } from './describe-demo.ts';

const PLACES: DemoPlaces = {
  portalUrl: 'http://localhost:8080',
  opsUrl: 'http://127.0.0.1:8081',
  invitationUrl: 'http://127.0.0.1:8081/invitation?key=abc',
  switchboardUrl: 'http://localhost:8082',
  linePort: 9900,
  siteDir: '/tmp/site',
};

test.each([
  ['the demo', describeDemo(PLACES, 'npm start --')],
  ['the tour', describeTour(PLACES)],
])('%s names the link with which to sign in', (_what, text) => {
  expect(text).toContain('http://127.0.0.1:8081/invitation?key=abc');
});

test('the tour says where to sign in if somebody has an account already', () => {
  expect(describeTour({ ...PLACES, invitationUrl: undefined })).toContain('http://127.0.0.1:8081/ (somebody');
});
