// npm run check:containers: builds the image of deploy/portal from the repository and from the package, and runs the compose
// file with each. It needs root on Debian, and takes several minutes, so it is no part of npm test. Everything lives in one
// folder and in namespaces of its own, and is gone at the end.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';
import { ROOT, run } from './run.mjs';

const PROGRAMS = [
  'podman',
  'crun',
  'netavark',
  'aardvark-dns',
  'iptables',
  'debootstrap',
  'docker-compose',
].map((name) => ({
  package: name,
  files: [`/usr/bin/${name}`, `/usr/sbin/${name}`, `/usr/lib/podman/${name}`],
}));

if (process.platform !== 'linux' || process.getuid() !== 0) {
  process.stderr.write('The containers were not tried: this check needs root on Debian.\n');
  process.exit(1);
}
if ((await isolate('true', [], { quiet: true })) !== 0) {
  process.stderr.write('The containers were not tried: this machine gives root no namespaces (see above).\n');
  process.exit(1);
}
await installTestPrograms(PROGRAMS);
await installPackages();

const dir = mkdtempSync(join(tmpdir(), 'waypost-containers-'));
const env = configurePodman();
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
await makeBaseImages();
process.exitCode = await runChecks(await listChecks());

async function listChecks() {
  const sources = { repository: ROOT, package: await unpackPackage() };
  return Object.entries(sources).flatMap(([name, source]) => [
    { title: `the image is built from the ${name}`, run: () => buildImage(source) },
    { title: `the compose file runs that image`, run: () => tryCompose(name, source) },
  ]);
}

function buildImage(source) {
  return podman([
    'build',
    '--format',
    'docker',
    '-f',
    join(source, 'deploy/portal/Dockerfile'),
    '-t',
    'waypost',
    source,
  ]);
}

/** Does what the first lines of compose.yaml say. */
async function tryCompose(name, source) {
  const home = join(dir, `compose-${name}`);
  cpSync(join(source, 'deploy/portal'), join(home, 'portal'), { recursive: true });
  cpSync(join(source, 'site'), join(home, 'site'), { recursive: true });
  const site = JSON.parse(readFileSync(join(home, 'site/site.json'), 'utf8'));
  site.network = { ...site.network, trustedProxies: ['172.30.80.10/32'] };
  writeFileSync(join(home, 'site/site.json'), JSON.stringify(site));
  mkdirSync(join(home, 'certificates'));
  const files = ['-keyout', `${home}/certificates/privkey.pem`, '-out', `${home}/certificates/fullchain.pem`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=portal.example', '-addext', 'subjectAltName=DNS:portal.example'];
  await mustRun('openssl', ['req', '-x509', ...key, ...subject, '-days', '2', ...files]);
  const variables = {
    WAYPOST: source,
    SITE: `${home}/site`,
    CERTIFICATES: `${home}/certificates`,
    WAYPOST_OPS_TOKEN: 'a-token-of-32-characters-0123456',
    POSTGRES_PASSWORD: 'a-password-of-32-characters-0123',
  };
  const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
  writeFileSync(join(home, 'portal/.env'), lines.join(''));
  return isolate('node', ['scripts/try-compose.mjs', home], { env, hasNetwork: false });
}

/** The package as npm installs it: without the sources, and without a lock file. */
async function unpackPackage() {
  await mustRun('npm', ['pack', '--pack-destination', dir]);
  const file = readdirSync(dir).find((name) => name.endsWith('.tgz'));
  await mustRun('tar', ['-xzf', join(dir, file), '-C', dir]);
  return join(dir, 'package');
}

/** Pulls the images that the Dockerfile and the compose file name, or makes stand-ins where no registry can be reached. */
async function makeBaseImages() {
  const files = ['Dockerfile', 'compose.yaml'].map((name) => join(ROOT, 'deploy/portal', name));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const names = new Set([...text.matchAll(/(?:FROM|image:) (\w+:[\w.-]+)/g)].map(([, name]) => name));
  for (const name of names) {
    if ((await podman(['pull', `docker.io/library/${name}`])) !== 0) return makeStandIns([...names]);
  }
}

async function makeStandIns(names) {
  process.stdout.write(`No image registry: making stand-ins for ${names.join(', ')} …\n`);
  const context = join(dir, 'stand-ins');
  mkdirSync(context);
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'ca-certificates.crt'));
  cpSync(join(ROOT, 'scripts/stand-ins.Containerfile'), join(context, 'Containerfile'));
  cpSync(join(ROOT, 'scripts/stand-in-postgres.sh'), join(context, 'start-postgres.sh'));
  const [, major] = /node:(\d+)/.exec(names.join(' '));
  await mustRun('npm', ['install', '--prefix', context, `node-linux-${process.arch}@${major}`, 'npm@11']);
  await mustRun('debootstrap', ['--variant=minbase', 'bookworm', join(dir, 'debian')]);
  await mustRun('tar', ['-C', join(dir, 'debian'), '-cf', join(dir, 'debian.tar'), '.']);
  await mustPodman(['import', join(dir, 'debian.tar'), 'localhost/debian']);
  for (const name of names) {
    const [stage] = name.split(':');
    await mustPodman(['build', '--target', stage, '-t', `docker.io/library/${name}`, context]);
  }
}

/** Keeps all that podman writes in one folder. Returns the environment that says so. */
function configurePodman() {
  const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${dir}/storage"\nrunroot = "${dir}/run"\n`;
  // Without cgroups nothing of the machine's own is touched. A build uses the machine's network, to reach Debian and npm.
  const containers = `[containers]
cgroups = "disabled"
netns = "host"
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "${dir}/networks"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${dir}/tmp"
`;
  writeFileSync(join(dir, 'storage.conf'), storage);
  writeFileSync(join(dir, 'containers.conf'), containers);
  return {
    CONTAINERS_STORAGE_CONF: join(dir, 'storage.conf'),
    CONTAINERS_CONF: join(dir, 'containers.conf'),
  };
}

function podman(args) {
  return isolate('podman', args, { env, quiet: true });
}

async function mustPodman(args) {
  if ((await podman(args)) !== 0) throw new Error(`podman ${args.join(' ')} failed: see above`);
}

async function mustRun(command, args) {
  const status = await run(command, args, { quiet: true });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: see above`);
}

/** Runs a command whose mounts and processes end with it. Without a network it has only what it makes itself. */
function isolate(command, args, { hasNetwork = true, ...options } = {}) {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // crun refuses a machine with both versions of cgroups.
  const prepare = 'umount /sys/fs/cgroup/unified 2>/dev/null; mount -t tmpfs tmpfs /dev/shm; exec "$@"';
  const shell = ['sh', '-c', prepare, '--', command, ...args];
  return run('unshare', [...namespaces, ...(hasNetwork ? [] : ['--net']), ...shell], options);
}
