import { afterEach, expect, it, vi } from 'vitest';
import { requestLine } from '../line/request-line.ts';
import { UsageError } from './command.ts';
import { line } from './line.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('prints where it answers, answers there, and ends with status 0 when asked to', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  const status = line.run(['--marker', 'M1', '--port', '0', '--port', '0', '--marker-header', 'x-line']);
  await vi.waitFor(() => expect(print).toHaveBeenCalledTimes(2));
  const replies = await Promise.all(
    print.mock.calls.map(([url]) => requestLine(String(url), { now: () => performance.now() })),
  );
  process.emit('SIGTERM');
  expect(await status).toBe(0);
  expect(replies).toMatchObject([{ headers: { 'x-line': 'M1' } }, { headers: { 'x-line': 'M1' } }]);
});

it.each([
  [[], '--marker is needed: what the line says of itself'],
  [['--marker', 'M1'], '--port is needed: where the line listens'],
  [['--marker', 'M1', '--port', '99000'], '--port must be a port from 0 to 65535, got "99000"'],
  [['--marker', 'M1', '--port', '9x'], '--port must be a port from 0 to 65535, got "9x"'],
  [['--marker', 'M1', '--port', '0', '--cert', 'cert.pem'], '--cert and --key go together'],
  [
    ['--marker', 'M1', '--port', '0', '--cert', 'src', '--key', 'src'],
    '--cert must be a file, got "src": this is a folder',
  ],
  [
    ['--marker', 'M1', '--port', '0', '--cert', 'none.pem', '--key', 'none.pem'],
    '--cert must be a file, got "none.pem": there is no such file',
  ],
  [
    ['--marker', 'M1', '--port', '0', '--cert', 'LICENSE', '--key', 'LICENSE'],
    '--cert must be a file in PEM, which begins with "-----BEGIN …", and "LICENSE" does not hold that',
  ],
])('refuses %j', async (args, message) => {
  await expect(line.run(args)).rejects.toThrow(new UsageError(message));
});
