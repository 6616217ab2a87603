// Runs deploy/portal/compose.yaml from a folder made by check-containers.mjs, in a network namespace of its own, and looks at
// what it does. Docker's compose talks to podman's service, which ends with this namespace.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const [, , home] = process.argv;
const variables = readFileSync(join(home, 'portal/.env'), 'utf8');
const token = /WAYPOST_OPS_TOKEN=(.*)/.exec(variables)[1];
const ca = readFileSync(join(home, 'certificates/fullchain.pem'));
const socket = join(home, 'podman.sock');

await exec('ip', ['link', 'set', 'lo', 'up']);
await exec('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], { stdio: 'ignore' });
await until('podman listens', () => existsSync(socket));
const over = new AbortController();
const health = runHealthChecks(over.signal);
try {
  await compose('up', '-d', '--no-build');
  await until('nginx answers', async () => (await ask('/').catch(() => undefined)) !== undefined);
  await lookAtPages();
  await lookAtConsole();
  await lookAtWalls();
  await lookAtStop();
} catch (error) {
  process.stderr.write(`${error.message}\n${error.stderr ?? ''}`);
  for (const name of ['postgres', 'portal-1', 'nginx'])
    process.stderr.write(`--- ${name}\n${await readLog(name)}`);
  process.exitCode = 1;
} finally {
  over.abort();
  await health;
  await compose('down', '--volumes').catch(() => {}); // What is left ends with the namespace.
  process.exit();
}

async function lookAtPages() {
  for (const path of ['/', '/r', '/json/link.json', '/api/hostnames']) {
    expect(`https ${path}`, (await ask(path)).status, 200);
  }
  const plain = await ask('/', { port: 80 });
  expect('http /', `${plain.status} ${plain.headers.location}`, '308 https://portal.example/');
  const { get_ip: seen } = JSON.parse(
    (await ask('/api/get_ip', { headers: { 'x-forwarded-for': '203.0.113.9' } })).body,
  );
  expect('the address of a caller who claims another', ['203.0.113.9', '172.30.80.10'].includes(seen), false);
}

async function lookAtConsole() {
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/', '/readyz', '/metrics']) {
    expect(`console ${path} without the token`, (await ask(path, { port: 8081 })).status, 401);
    expect(`console ${path} with the token`, (await ask(path, { port: 8081, headers })).status, 200);
  }
  const { body } = await ask('/metrics', { port: 8081, headers });
  expect('the database', /^waypost_database_up.* (\d)$/m.exec(body)?.[1], '1');
  // A portal sees a new one some seconds after its start.
  await until('the portal sees both', async () => {
    const { body: overview } = await ask('/api/console/overview', { port: 8081, headers });
    return JSON.parse(overview).replicas.length === 2;
  });
}

async function lookAtWalls() {
  expect('user', await inside('id -u'), '1000');
  expect('capabilities', await inside('grep -c "^Cap.*:.0000000000000000$" /proc/1/status'), '5');
  expect('new privileges', await inside('grep NoNewPrivs /proc/1/status | tr -dc 01'), '1');
  expect('root folder', await inside('awk \'$2 == "/" { print $4 }\' /proc/mounts | cut -d, -f1'), 'ro');
  expect('site folder', await inside('awk \'$2 == "/site" { print $4 }\' /proc/mounts | cut -d, -f1'), 'ro');
  // podman lets a container write here, Docker does not.
  expect('files in /tmp', await inside('ls -A /tmp'), '');
  expect('a file in /data', await inside('touch /data/new && echo written'), 'written');
}

async function inside(script) {
  const { stdout } = await exec('podman', ['exec', 'portal_portal-1_1', 'sh', '-c', script]);
  return stdout.trim();
}

/** Stops while an answer of the console is open, which ends only with the portal. 137 would be a portal that had to be killed. */
async function lookAtStop() {
  const headers = { authorization: `Bearer ${token}` };
  const live = requestHttp({ port: 8081, path: '/api/console/events', headers }).end();
  const [answer] = await once(live, 'response');
  answer.on('error', () => {}).resume(); // The portal cuts it off, as it should.
  await compose('stop');
  for (const name of ['portal-1', 'portal-2']) {
    const inspect = ['inspect', `portal_${name}_1`, '--format', '{{.State.ExitCode}}'];
    expect(`exit status of ${name}`, (await exec('podman', inspect)).stdout.trim(), '0');
  }
}

async function ask(path, { port = 443, headers = {} } = {}) {
  const request = port === 443 ? requestHttps : requestHttp;
  const host = port === 8081 ? '127.0.0.1:8081' : 'portal.example';
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    ca,
    servername: 'portal.example',
    headers: { host, ...headers },
    agent: false,
    signal: AbortSignal.timeout(5_000),
  }).end();
  const [answer] = await once(sent, 'response');
  const body = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Podman leaves health checks to the timers of systemd, which does not run here. */
async function runHealthChecks(signal) {
  while (!signal.aborted) {
    const { stdout } = await exec('podman', ['ps', '-q']);
    for (const id of stdout.split('\n').filter(Boolean)) {
      await exec('podman', ['healthcheck', 'run', id]).catch(() => {}); // Its result is what "up" waits for.
    }
    await wait(500);
  }
}

function compose(...args) {
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}` };
  const files = ['-f', join(home, 'portal/compose.yaml')];
  return exec('docker-compose', [...files, ...args], { env, timeout: 120_000 });
}

async function readLog(name) {
  const { stdout, stderr } = await exec('podman', ['logs', '--tail', '20', `portal_${name}_1`]).catch(
    (error) => error,
  );
  return `${stdout}${stderr}`;
}

async function until(what, isSo) {
  const limit = AbortSignal.timeout(30_000);
  while (!(await isSo())) {
    if (limit.aborted) throw new Error(`not within 30 s: ${what}`);
    await wait(100);
  }
}

function expect(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, found ${found}`);
}
