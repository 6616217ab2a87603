import { pino } from 'pino';
import type { ComposeOptions } from './compose-options.ts';
import { composeServer } from './compose.ts';
import { type ListenBounds, ListenError, type Listener, listen } from './http/listen.ts';
import { isLoopback } from './operator/access/is-loopback-host.ts';

export type ServerOptions = Omit<ComposeOptions, 'log'> & {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly opsHost: string;
  readonly opsPort: number;
  /** Of the preview, on the host of the operator's listener, where editing is on. */
  readonly previewPort?: number;
  readonly log?: ComposeOptions['log'];
  readonly bounds?: Partial<ListenBounds>;
};

export type RunningServer = {
  readonly url: string;
  readonly opsUrl: string;
  /** Undefined where editing is off. */
  readonly previewUrl: string | undefined;
  /** Stops accepting, finishes what is open, and closes, within 10 s. */
  readonly close: () => Promise<void>;
};

type Listeners = {
  readonly opsListener: Listener;
  readonly previewListener: Listener | undefined;
  readonly listener: Listener;
};

/** Together with the portal's own limit, this is well within the 10 s that process managers wait. */
const OPS_CLOSING_LIMIT_MS = 500;
/** The limit for all of it: the portal's own limit, the operator's, and the rest for saving what was learned. */
const CLOSING_LIMIT_MS = 9_000;
/** A portal that cannot listen has learned nothing, so it need not wait long to save it. */
const FAILED_START_LIMIT_MS = 1_000;
/** The shortest token where strangers can reach the listener and guess. */
const MIN_TOKEN_CHARS = 16;

/** Starts the portal and the operator's listener. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, opsHost, opsPort, previewPort = 0, opsToken, bounds = {}, log = pino() } = options;
  if (!isLoopback(opsHost) && (opsToken ?? '').length < MIN_TOKEN_CHARS) {
    throw new ListenError(
      `the operator's listener may leave loopback (for ${opsHost}) only with WAYPOST_OPS_TOKEN set to at least ${MIN_TOKEN_CHARS} characters: make one with "openssl rand -hex 32"`,
    );
  }
  const server = await composeServer({ ...options, log });
  const { opsListener, previewListener, listener } = await openListeners().catch(async (error: unknown) => {
    await server.close(FAILED_START_LIMIT_MS);
    throw error;
  });
  server.start();
  const urls = { url: listener.url, opsUrl: opsListener.url, previewUrl: previewListener?.url };
  log.info(urls, 'listening');

  return {
    ...urls,
    close: async () => {
      const closingAt = performance.now();
      server.retire();
      await listener.close();
      // The operator's listener closes after the portal's, because until then it says that the portal is closing.
      const others = [opsListener, ...(previewListener ? [previewListener] : [])];
      await Promise.all(others.map((one) => one.close(OPS_CLOSING_LIMIT_MS)));
      await server.close(CLOSING_LIMIT_MS - (performance.now() - closingAt));
      log.info('closed');
    },
  };

  async function openListeners(): Promise<Listeners> {
    const shared = { bounds, log, isShared: server.isShared, onCut: server.metrics.countCut };
    const opened: Listener[] = [];
    try {
      const opsListener = await listen({ ...shared, app: server.operator, host: opsHost, port: opsPort });
      opened.push(opsListener);
      const previewListener =
        server.preview &&
        (await listen({ ...shared, app: server.preview.app, host: opsHost, port: previewPort }));
      if (previewListener) {
        opened.push(previewListener);
        server.preview?.setPort(Number(new URL(previewListener.url).port));
      }
      return {
        opsListener,
        previewListener,
        listener: await listen({ ...shared, app: server.portal, host, port }),
      };
    } catch (error) {
      await Promise.all(opened.map((one) => one.close()));
      throw error;
    }
  }
}
