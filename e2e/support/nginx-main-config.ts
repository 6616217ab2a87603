/**
 * An otherwise empty main config around one of ours: one process of the test's own user, which can read the test's files,
 * and which writes only into its folder.
 */
export function nginxMainConfig(
  dir: string,
  { modules = [] }: { readonly modules?: readonly string[] } = {},
): string {
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `    ${name}_temp_path ${dir}/${name};`,
  );
  return `${modules.map((module) => `load_module ${module};\n`).join('')}daemon off;
master_process off;
pid ${dir}/nginx.pid;
worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http {
    access_log off;
    types { text/html html; }
${tempPaths.join('\n')}
    include ${dir}/nginx.conf;
}
`;
}
