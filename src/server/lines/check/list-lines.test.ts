import { describe, expect, it } from 'vitest';
import { loadSite } from '../../site/load-site.ts';
import { listLineAddresses } from '../../../engine/line/build-line.ts';
import { listLines } from './list-lines.ts';

describe('listLines', () => {
  it("lists the demo's lines, backups and target addresses, each with what it is", async () => {
    const { site } = await loadSite('site');
    const lines = listLines(site, Date.UTC(2025, 10, 15));
    const roles = lines.map(({ role }) => role);
    const counted = ['line', 'backup', '/t/localhost'].map(
      (role) => roles.filter((each) => each === role).length,
    );
    expect(counted).toEqual([12, 4, 4]);
    expect(lines[0]?.addresses).toEqual([
      'http://www20407.line1.localhost:9900',
      'http://www20407.line1.localhost:5569',
      'http://www20407.line1.localhost:6899',
      'http://www20407.line1.localhost:7730',
      'http://www20407.line1.localhost:8866',
    ]);
  });
});

describe('listLineAddresses', () => {
  it('has one address where the entry names its port, or the site has none to draw', () => {
    expect(listLineAddresses({ host: 'a.example:444' }, [9900, 5569], 1)).toEqual([
      'https://www1.a.example:444',
    ]);
    expect(listLineAddresses({ host: 'a.example' }, [], 1)).toEqual(['https://www1.a.example']);
  });

  it('leaves the prefix out where the entry says so', () => {
    expect(listLineAddresses({ host: 'a.example', noWWW: true }, [9900], 1)).toEqual([
      'https://a.example:9900',
    ]);
  });
});
