import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SiteChanges } from './make-site-folder.ts';
import { nameLocalhost, preparePortal } from './prepare-portal.ts';

export type Portal = {
  readonly url: string;
  readonly opsUrl: string;
  readonly siteDir: string;
  /** What it has logged so far, line by line. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
};

/** Environment variables of a portal. */
export type PortalEnvironment = Readonly<Record<string, string>>;

/** A process that runs portals. */
export type PortalHost = {
  /**
   * Starts a portal on free ports, with a site folder of its own: the demo brand's, with these changes. With `probeEveryMs`, it
   * probes its lines that often, so that no test waits 30 s for it.
   */
  readonly start: (
    changes: SiteChanges,
    environment?: PortalEnvironment,
    probeEveryMs?: number,
  ) => Promise<Portal>;
  readonly close: () => Promise<void>;
};

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

type Message = { readonly id: number } & (
  | { readonly line: string }
  | { readonly error: string }
  | { readonly result: unknown }
);

/**
 * Starts a process that runs what `waypost serve` runs, for many portals. A process for each of them would take a second of a
 * core more, because it loads the server again, and renders its pages with code that V8 has not compiled yet.
 */
export function createPortalHost(): PortalHost {
  const host = fork(fileURLToPath(new URL('portal-host.mjs', import.meta.url)), { execArgv: [] });
  const exited = once(host, 'exit');
  const logs = new Map<number, string[]>();
  const waiting = new Map<number, Waiting>();
  host.on('message', (message: Message) => {
    if ('line' in message) return void logs.get(message.id)?.push(message.line);
    if ('error' in message) waiting.get(message.id)?.reject(new Error(message.error));
    else waiting.get(message.id)?.resolve(message.result);
    waiting.delete(message.id);
  });
  host.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the process of the portals has ended'));
  });
  let portals = 0;

  function order(id: number, work: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      host.send({ id, ...work });
    });
  }

  return {
    async start(changes, environment = {}, probeEveryMs) {
      const id = (portals += 1);
      const { siteDir, remove, ...prepared } = await preparePortal(changes, environment);
      const log: string[] = [];
      logs.set(id, log);
      const { url, opsUrl } = (await order(id, { ...prepared, probeEveryMs })) as {
        readonly url: string;
        readonly opsUrl: string;
      };
      return {
        url: nameLocalhost(url),
        opsUrl,
        siteDir,
        log,
        async close() {
          await order(id, {});
          await remove();
        },
      };
    },
    async close() {
      host.disconnect();
      await exited;
    },
  };
}
