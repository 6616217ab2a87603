import { describe, expect, test } from 'vitest';
import { guardTarget } from './guard-target.ts';

const allowedHosts = ['go.demo.example', 'App.demo.example', 'localhost'];
const guard = (hostname: string, path: string) => guardTarget({ hostname, path, allowedHosts });

describe('guardTarget', () => {
  test.each(['go.demo.example', 'app.demo.example', 'localhost'])('lets a target pass on %s', (hostname) => {
    expect(guard(hostname, '/t/Some_target-7')).toEqual({ kind: 'target', target: 'Some_target-7' });
  });

  test.each([
    ['xn--on0a042a.example', ['线路.example']],
    ['线路.example', ['xn--on0a042a.example']],
    ['xn--on0a042a.example', ['XN--ON0A042A.Example']],
    ['GO.example', ['go.example']],
    ['go.example.', ['go.example']],
    ['[::1]', ['[0::1]']],
  ])('knows %s as one of %j', (hostname, allowed) => {
    expect(guardTarget({ hostname, path: '/t/app', allowedHosts: allowed })).toEqual({
      kind: 'target',
      target: 'app',
    });
  });

  test('takes the first label of an international name in punycode, which is what a file can be called', () => {
    const place = { hostname: 'xn--on0a042a.example', path: '/t', allowedHosts: ['线路.example'] };
    expect(guardTarget(place)).toEqual({ kind: 'default', target: 'xn--on0a042a' });
  });

  test('takes no notice of a slash at the end', () => {
    expect(guard('localhost', '/t/app/')).toEqual({ kind: 'target', target: 'app' });
  });

  test.each([
    'other.example',
    'demo.example',
    'x.localhost',
    'go.demo.example.evil.example',
    '',
    '.',
    'go.demo.example..',
  ])('refuses everything on %s', (hostname) => {
    expect(guard(hostname, '/t/app')).toEqual({ kind: 'refused' });
    expect(guard(hostname, '/t')).toEqual({ kind: 'refused' });
  });

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
    '/t///',
    '/t/a//',
  ])('refuses %j', (path) => {
    expect(guard('localhost', path)).toEqual({ kind: 'refused' });
  });
});
