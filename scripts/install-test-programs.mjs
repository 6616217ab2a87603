import { existsSync } from 'node:fs';
import { run } from './run.mjs';

const PROGRAMS = [
  { package: 'chromium', files: ['/usr/bin/chromium'] },
  { package: 'chromium-headless-shell', files: ['/usr/bin/chromium-headless-shell'] },
  { package: 'firefox-esr', files: ['/usr/bin/firefox-esr'] },
  { package: 'webkit2gtk-driver', files: ['/usr/bin/WebKitWebDriver'] },
  // WebKit has no headless mode: it draws to a screen that nobody sees.
  { package: 'xvfb', files: ['/usr/bin/Xvfb'] },
  {
    package: 'fonts-wqy-microhei',
    files: ['/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', '/usr/share/fonts/opentype/noto'],
  },
  // The folder has the name of the version, which differs between releases of Debian.
  { package: 'postgresql', files: ['/usr/lib/postgresql'] },
  // Delays what a process writes to its disk.
  { package: 'strace', files: ['/usr/bin/strace'] },
  { package: 'nginx-light', files: ['/usr/sbin/nginx'] },
  {
    package: 'libnginx-mod-http-headers-more-filter',
    files: ['/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so'],
  },
  { package: 'caddy', files: ['/usr/bin/caddy'] },
  { package: 'prometheus', files: ['/usr/bin/prometheus'] },
];

/** Installs the programs that the tests drive, where this is root on Debian; else says what to install. */
export async function installTestPrograms(programs = PROGRAMS) {
  const missing = programs.filter(({ files }) => !files.some(existsSync)).map((program) => program.package);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(`The tests need programs that are not installed. As root: ${command}\n`);
    process.exit(1);
  }
  process.stdout.write(`Installing ${missing.join(', ')} …\n`);
  // Run level 1 keeps Debian from starting the servers it installs: the tests start their own.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const updated = await run('apt-get', ['update'], { quiet: true, env });
  const installed = updated || (await run('apt-get', command.split(' ').slice(1), { quiet: true, env }));
  if (installed !== 0) {
    process.stderr.write(`Could not install them (see above). Try again, or run: ${command}\n`);
    process.exit(1);
  }
}
