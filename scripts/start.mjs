// npm start: the demo, on a machine that has nothing but Node and npm.
//
// `package.json` starts it with `exec`: otherwise a shell stands between npm and this process, and a signal that npm passes on
// would end that shell only.
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';

await installPackages();
await build();
endWithNpm();
// In this very process, so that a signal ends everything at once.
process.argv.splice(2, 0, 'demo');
await import('../dist/cli/main.js');

/** npm passes SIGINT and SIGTERM on. It dies of SIGHUP and SIGKILL without a word. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
