import { createSecureContext } from 'node:tls';
import { parseArgs } from 'node:util';
import { DEFAULT_MARKER_HEADER } from '../contract/api/headers.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { type Command, UsageError, parseOrigin, parsePort, waitForSignal } from './command.ts';
import { readPem } from './read-pem.ts';
import { readReason } from '../contract/read-code.ts';

/** `waypost line`: a line host to try the portal with. */
export const line: Command = {
  help: `Usage: waypost line --marker MARKER --port PORT [--port PORT …] [options]

Answers GET /speed.php the way a line must, and GET / with a page that names the line.

  --marker MARKER        what the line says of itself: lines.marker of site.json
  --port PORT            a port to listen on; repeat it for more, 0 draws a free one
  --marker-header NAME   the header that carries the marker (default: ${DEFAULT_MARKER_HEADER})
  --host ADDRESS         the address to listen on (default: loopback only; 0.0.0.0 is every address)
  --cert FILE            with --key: speak https, with this certificate (PEM)
  --key FILE             its private key (PEM)
  --portal URL           keep visitors in when this line is lost, with siblings of this portal (docs/stay.md)

Example: waypost line --marker waypost-demo --port 9900 --port 5569`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        marker: { type: 'string' },
        port: { type: 'string', multiple: true },
        'marker-header': { type: 'string' },
        host: { type: 'string' },
        cert: { type: 'string' },
        key: { type: 'string' },
        portal: { type: 'string' },
      },
    });
    if (!values.marker) throw new UsageError('--marker is needed: what the line says of itself');
    if (!values.port) throw new UsageError('--port is needed: where the line listens');
    const hosts = await startLineHosts({
      marker: values.marker,
      markerHeader: values['marker-header'],
      ports: values.port.map((port) => parsePort('--port', port)),
      address: values.host,
      tls: await readCertificate(values.cert, values.key),
    });
    if (values.portal !== undefined)
      hosts.setPortal(parseOrigin('--portal', values.portal, 'https://go.example.com'));
    const scheme = values.cert === undefined ? 'http' : 'https';
    for (const port of hosts.ports) console.log(`${scheme}://${urlHost(values.host)}:${port}/speed.php`);
    await waitForSignal(process);
    await hosts.close();
    return 0;
  },
};

async function readCertificate(
  certFile: string | undefined,
  keyFile: string | undefined,
): Promise<{ cert: string; key: string } | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) throw new UsageError('--cert and --key go together');
  const tls = { cert: await readPem('--cert', certFile), key: await readPem('--key', keyFile) };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const reason = readReason(error);
    throw new UsageError(`--cert and --key must be a certificate and its own key: ${reason}`);
  }
}

function urlHost(address = 'localhost'): string {
  return address.includes(':') ? `[${address}]` : address;
}
