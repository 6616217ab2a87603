import { describe, expect, test } from 'vitest';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';

const SHELLS = ['/offline/', '/offline/r', '/offline/t', '/offline/away'];
const RESTRICTED = {
  network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' },
  compliance: { restrictedRegions: ['AQ'] },
};
const FROM = (country: string) => ({ from: '10.0.0.1', headers: { 'CF-IPCountry': country } });

async function open(changes: Readonly<Record<string, object>> = {}) {
  const files = await createSiteFiles((config) => {
    const site = config as Record<string, object>;
    for (const [key, value] of Object.entries(changes)) site[key] = { ...site[key], ...value };
  });
  return createTestPortal({ files });
}

describe('a site without restricted regions', () => {
  test('lets browsers keep its pages for seven days', async () => {
    const { ask } = await open();
    for (const path of ['/', '/r', '/t/localhost']) {
      const { headers } = await ask(path, { headers: { host: 'localhost' } });
      expect(headers).not.toHaveProperty('waypost-offline');
    }
    for (const path of SHELLS) {
      const { status, headers } = await ask(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'x-robots-tag': 'noindex',
        'cache-control': 'private, no-cache',
        'waypost-offline': '7',
      });
    }
  });

  test('sends the removing worker, and no shell, when it is turned off', async () => {
    const { ask } = await open({ offline: { mode: 'off' } });
    const worker = await ask('/offline.js');
    expect(worker.text).toContain('registration.unregister()');
    expect(worker.headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    expect((await ask('/')).headers).toMatchObject({ 'waypost-offline': 'off' });
    for (const path of SHELLS) expect((await ask(path)).status).toBe(404);
  });
});

test('a maintenance that closes the site removes what browsers keep', async () => {
  const files = await createSiteFiles((config) => {
    Object.assign(config, { maintenance: [{ closes: true }] });
  });
  const { ask } = await createTestPortal({ files });
  for (const path of ['/', '/r', '/t/localhost']) {
    const { headers } = await ask(path, { headers: { host: 'localhost' } });
    expect(headers).toMatchObject({ 'waypost-offline': 'off' });
  }
  expect((await ask('/offline.js')).text).toContain('registration.unregister()');
  for (const path of SHELLS) expect((await ask(path)).status).toBe(503);
});

describe('a site with restricted regions', () => {
  test('keeps nothing by itself', async () => {
    const { ask } = await open(RESTRICTED);
    expect((await ask('/', FROM('SG'))).headers).toMatchObject({ 'waypost-offline': 'off' });
    expect((await ask('/offline.js', FROM('SG'))).text).toContain('registration.unregister()');
  });

  test('refuses the shells and the worker to a visitor whose region is not served', async () => {
    const { ask } = await open({ ...RESTRICTED, offline: { mode: 'on' } });
    expect((await ask('/', FROM('SG'))).headers).not.toHaveProperty('waypost-offline');
    for (const path of ['/', '/r', '/t/localhost']) {
      const options = { ...FROM('AQ'), headers: { ...FROM('AQ').headers, host: 'localhost' } };
      expect((await ask(path, options)).headers).toMatchObject({ 'waypost-offline': 'off' });
    }
    for (const path of SHELLS) {
      expect((await ask(path, FROM('SG'))).headers).toMatchObject({ 'waypost-offline': '1' });
      expect((await ask(path, FROM('AQ'))).status).toBe(451);
    }
    const removing = 'registration.unregister()';
    expect((await ask('/offline.js', FROM('SG'))).text).not.toContain(removing);
    expect((await ask('/offline.js', FROM('AQ'))).text).toContain(removing);
  });
});
