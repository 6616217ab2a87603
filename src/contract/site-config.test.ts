import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import demo from '../../site/site.json' with { type: 'json' };
import { describeIssues } from './describe-issues.ts';
import { siteConfigSchema } from './site-config.ts';

function faultsOf(config: unknown): readonly string[] {
  const { issues = [] } = v.safeParse(siteConfigSchema, config);
  return describeIssues('site.json', issues);
}

describe('siteConfigSchema', () => {
  test('takes the demo brand, and gives what it leaves out its default', () => {
    const config = v.parse(siteConfigSchema, { ...demo, analytics: undefined });
    expect(config.lines.ports).toEqual([9900, 5569, 6899, 7730, 8866]);
    expect(config.lines.markerHeader).toBe('server');
    expect(config.lines.steering).toBe('measured');
    expect(config.redirect.keepQuery).toBe(false);
    expect(config.services.callerAddress).toBe('');
    expect(config.analytics).toEqual({ measurementId: '', tagUrl: '' });
    expect(config.monitoring).toEqual({ intakeUrl: '', sessionPercent: 100, replayPercent: 20 });
    expect(config.consent).toBe('not-required');
    expect(config.limits).toEqual({ apiPerMinute: 600, reportsPerNetwork: 10 });
  });

  const withLines = (change: object) => ({ ...demo, lines: { ...demo.lines, ...change } });
  test.each<[string, unknown, string]>([
    ['a typo in a key', { ...demo, brnad: {} }, 'site.json: brnad is not a known key'],
    ['a typo in a part', withLines({ prots: [] }), 'site.json: lines.prots is not a known key'],
    [
      'a host with a path',
      withLines({ hosts: ['a.example', 'b.example', 'https://a.b/c'] }),
      'site.json: lines.hosts[2] must be a host such as "line1.example", got "https://a.b/c"',
    ],
    [
      'a bad host in an object',
      withLines({ hosts: [{ host: 'a b', noWWW: true }] }),
      'site.json: lines.hosts[0].host must be a host such as "line1.example", got "a b"',
    ],
    [
      'a fallback host twice',
      withLines({ fallback: ['a.example', 'b.example', 'c.example', 'https://A.example'] }),
      'site.json: lines.fallback[3] must be a host that is not named before, got "https://A.example"',
    ],
    [
      'a line twice',
      withLines({ hosts: ['a.example', 'a.example:443', { host: 'a.example', noWWW: true }] }),
      'site.json: lines.hosts[2] must be a host that is not named before, got {"host":"a.example","noWWW":true}',
    ],
    [
      'a line among the fallback hosts',
      withLines({
        hosts: ['a.example', { host: 'https://D.example', noWWW: true }],
        fallback: ['b.example', 'c.example', 'd.example', 'e.example'],
      }),
      'site.json: lines.fallback[2] must be a host that is not in lines.hosts, got "d.example"',
    ],
    [
      'three fallback hosts',
      withLines({ fallback: ['a.example', 'b.example', 'c.example'] }),
      'site.json: lines.fallback must name exactly 4 hosts, got ["a.example","b.example","c.example"]',
    ],
    [
      'a bad port',
      withLines({ ports: [70_000] }),
      'site.json: lines.ports[0] must be a port from 1 to 65535, got 70000',
    ],
    [
      'no compliance',
      { ...demo, compliance: undefined },
      'site.json: compliance must be an object, it is missing',
    ],
    [
      'an image outside the folder',
      { ...demo, images: { ...demo.images, logo: '../logo.svg' } },
      'site.json: images.logo must be a path inside the site folder such as "images/logo.svg", got "../logo.svg"',
    ],
    [
      'a scheme in an allowed host',
      { ...demo, typeRedirect: { allowedHosts: ['https://go.example'] } },
      'site.json: typeRedirect.allowedHosts[0] must be a host name such as "go.example", without scheme or port, got "https://go.example"',
    ],
    [
      'a script as a link',
      { ...demo, compliance: { ...demo.compliance, responsiblePlayUrl: 'javascript:alert(1)' } },
      'site.json: compliance.responsiblePlayUrl must be an absolute URL that starts with https:// or http://, got "javascript:alert(1)"',
    ],
    ['a text instead of an object', 'x', 'site.json: the file must be an object, got "x"'],
  ])('names %s, and the mend', (_, config, fault) => {
    expect(faultsOf(config)).toContain(fault);
  });

  test('names every fault at once', () => {
    const faults = faultsOf({ ...withLines({ ports: ['x'], hosts: [] }), consent: 'maybe' });
    expect(faults).toEqual([
      'site.json: lines.hosts must name at least one host, got []',
      'site.json: lines.ports[0] must be a port from 1 to 65535, got "x"',
      'site.json: consent must be "required" or "not-required", got "maybe"',
    ]);
  });
});
