import { describe, expect, test } from 'vitest';
import { guardTarget } from './guard-target.ts';

const allowedHosts = ['go.demo.example', 'App.demo.example', 'localhost'];
const guard = (hostname: string, path: string) => guardTarget({ hostname, path, allowedHosts });

describe('guardTarget', () => {
  test.each(['go.demo.example', 'app.demo.example', 'localhost'])('lets a target pass on %s', (hostname) => {
    expect(guard(hostname, '/t/Some_target-7')).toEqual({ kind: 'target', target: 'Some_target-7' });
  });

  test.each(['other.example', 'demo.example', 'x.localhost', 'go.demo.example.evil.example', ''])(
    'refuses everything on %s',
    (hostname) => {
      expect(guard(hostname, '/t/app')).toEqual({ kind: 'refused' });
      expect(guard(hostname, '/t')).toEqual({ kind: 'refused' });
    },
  );

  test.each(['/t', '/t/'])('takes the first label of the host name where %s names no target', (path) => {
    expect(guard('go.demo.example', path)).toEqual({ kind: 'default', target: 'go' });
    expect(guard('localhost', path)).toEqual({ kind: 'default', target: 'localhost' });
  });

  test.each([
    '/t/..',
    '/t/%2e%2e',
    '/t/../../api',
    '/t/a/b',
    '/t/a.b',
    '/t/中文',
    '/t/%E4%B8%AD',
    `/t/${'a'.repeat(65)}`,
    `/t/${'a'.repeat(300)}`,
    '/t/a\n',
    '/t//',
  ])('refuses %j', (path) => {
    expect(guard('localhost', path)).toEqual({ kind: 'refused' });
  });
});
