// Runs portals for `create-portal-host.ts`, and takes its orders from the process that started it.
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import './compress-less.mjs';
import { readOptions } from '../../dist/cli/serve.js';
import { startServer } from '../../dist/server/main.js';
import { loadWebBuild } from '../../dist/server/site/load-web-build.js';

const web = await loadWebBuild(fileURLToPath(new URL('../../dist/web', import.meta.url)));
const servers = new Map();

async function start({ id, args, environment, probeEveryMs }) {
  const options = readOptions(args, { ...process.env, ...environment });
  const log = pino({ base: null }, { write: (line) => process.send({ id, line: line.trim() }) });
  const server = await startServer({
    ...options,
    ...(probeEveryMs !== undefined && { probeEveryMs }),
    web,
    log,
    // Browsers keep idle connections open, which would delay each end by a second.
    bounds: { closingGraceMs: 0 },
  });
  servers.set(id, server);
  return { url: server.url, opsUrl: server.opsUrl };
}

async function close({ id }) {
  await servers.get(id)?.close();
  servers.delete(id);
}

async function obey(order) {
  const { id } = order;
  try {
    const result = await (order.args ? start(order) : close(order));
    process.send({ id, result });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
}

process.on('message', (order) => void obey(order));
process.on('disconnect', () => process.exit());
