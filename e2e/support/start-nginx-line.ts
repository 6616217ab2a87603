import { LINE_PORTS } from '../../src/contract/limits.ts';
import { type LineProgram, type LineProgramOptions, runLineProgram } from './run-line-program.ts';

const HEADERS_MORE = '/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so';

/** Starts Debian's nginx on `deploy/line/nginx.conf`, as included by an otherwise empty main config. */
export function startNginxLine(options: LineProgramOptions = {}): Promise<LineProgram> {
  return runLineProgram({
    config: 'nginx.conf',
    command: '/usr/sbin/nginx',
    args: (dir) => ['-p', dir, '-c', `${dir}/main.conf`, '-e', 'stderr'],
    files: (dir) => ({ 'main.conf': mainConfig(dir) }),
    edits: (ports) =>
      LINE_PORTS.map((port, i) => [`[::]:${port} ssl ipv6only=off`, `127.0.0.1:${ports[i]} ssl`]),
    httpEdits: [
      [' ssl;', ';'],
      [/^ *ssl_certificate.*\n/gm, ''],
    ],
    options,
  });
}

/** One process, which needs no other user's rights to read the test's files, and all that it writes in its folder. */
function mainConfig(dir: string): string {
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `    ${name}_temp_path ${dir}/${name};`,
  );
  return `load_module ${HEADERS_MORE};
daemon off;
master_process off;
pid ${dir}/nginx.pid;
events {}
http {
    access_log off;
    types { text/html html; }
${tempPaths.join('\n')}
    include ${dir}/nginx.conf;
}
`;
}
