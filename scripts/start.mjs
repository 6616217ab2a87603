// npm start: the demo, on a machine that has nothing but Node and npm.
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';

await installPackages();
await build();
// In this very process, so that Ctrl-C ends everything at once.
process.argv.splice(2, 0, 'demo');
await import('../dist/cli/main.js');
