// One simulated day in a process of its own. See simulate-days.ts.
import { runnerImport } from 'vite';

const { module } = await runnerImport('./bench/incidents/simulate-day.ts');
process.send(await module.simulateDay(JSON.parse(process.argv[2])), () => process.exit());
