import { LINE_PORTS } from '../../src/contract/limits.ts';
import { nginxMainConfig } from './nginx-main-config.ts';
import { type LineProgram, type LineProgramOptions, runLineProgram } from './run-line-program.ts';

const HEADERS_MORE = '/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so';

/** Starts Debian's nginx on `deploy/line/nginx.conf`, as included by an otherwise empty main config. */
export function startNginxLine(options: LineProgramOptions = {}): Promise<LineProgram> {
  return runLineProgram({
    config: 'nginx.conf',
    command: '/usr/sbin/nginx',
    args: (dir) => ['-p', dir, '-c', `${dir}/main.conf`, '-e', 'stderr'],
    files: (dir) => ({ 'main.conf': nginxMainConfig(dir, { modules: [HEADERS_MORE] }) }),
    edits: (ports) =>
      LINE_PORTS.map((port, i) => [`[::]:${port} ssl ipv6only=off`, `127.0.0.1:${ports[i]} ssl`]),
    httpEdits: [
      [' ssl;', ';'],
      [/^ *ssl_certificate.*\n/gm, ''],
    ],
    options,
  });
}
