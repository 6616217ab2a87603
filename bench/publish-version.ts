import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DeskState } from '../src/contract/desk/desk.ts';
import { DESK_PATHS } from '../src/contract/paths.ts';

const PERSON = 'bench';
const HEADER = 'X-Webauth-User';
const LOOK_EVERY_MS = 5;

/** Says who is calling, to a portal with the environment below. */
export const PUBLISHER_HEADERS = { [HEADER]: PERSON };
export const PUBLISHER_ENV = {
  WAYPOST_EDIT: 'on',
  WAYPOST_OPERATOR_HEADER: HEADER,
  WAYPOST_OPERATOR_PROXIES: '127.0.0.1',
  PREVIEW_PORT: '0',
};

/** Adds an owner to the database of this environment, and waits until all portals know them. */
export async function addPublisher(opsUrls: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-bench-publish-'));
  try {
    const command = ['operator', 'add', PERSON, '--role', 'owner', '--data', dataDir];
    await promisify(execFile)(process.execPath, ['dist/cli/main.js', ...command], {
      env: { ...process.env, ...env },
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  for (const opsUrl of opsUrls) {
    const ask = (): Promise<Response> =>
      fetch(`${opsUrl}${DESK_PATHS.state}`, { headers: PUBLISHER_HEADERS });
    while (!(await ask()).ok) await wait(LOOK_EVERY_MS);
  }
}

/** Gives the brand another name in the publisher's draft. Resolves with what publishes it. */
export async function prepareVersion(opsUrl: string, brandName: string): Promise<() => Promise<void>> {
  await call(opsUrl, DESK_PATHS.edit, {
    file: 'site.json',
    edits: [{ path: ['brand', 'name'], value: brandName }],
  });
  const { current } = await call<DeskState & { isOn: true }>(opsUrl, DESK_PATHS.state);
  return async () => {
    await call(opsUrl, DESK_PATHS.publish, { draft: 'own', why: brandName, basedOn: current.number });
  };
}

async function call<T>(opsUrl: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${opsUrl}${path}`, {
    headers: {
      ...PUBLISHER_HEADERS,
      Origin: opsUrl,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T; // As our own server sends it.
}
