// A distant world in a process of its own, until its parent lets go of it. See open-distant-world.ts.
import { once } from 'node:events';
import { runnerImport } from 'vite';

const { module } = await runnerImport('./bench/start-distant-world.ts');
const { close, ...world } = await module.startDistantWorld(JSON.parse(process.argv[2]));
const abandoned = once(process, 'disconnect');
process.send(world);
await abandoned;
await close();
process.exit();
