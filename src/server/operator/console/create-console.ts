import type { App } from '../../http/exchange.ts';
import { type ConsoleDeps, createConsoleApp } from './console-app.ts';
import { describeOverview } from './describe-overview.ts';
import { type Access, guardAccess } from '../access/guard-access.ts';
import { openFeed } from './open-feed.ts';

export type ConsoleOptions = ConsoleDeps['sources'] & {
  /** Undefined where the listener is bound to loopback, and needs none. */
  readonly token: string | undefined;
  readonly build: ConsoleDeps['build'];
};

/** The operator's console of one server. */
export type Console = {
  readonly app: App;
  readonly access: Pick<Access, 'check' | 'checkHealth'>;
  /** Tells those who look what has changed. To be repeated about once a second; it never fails. */
  readonly look: () => Promise<void>;
  /** Ends what is still being told. */
  readonly close: () => void;
};

/** Puts the console together with who may see it, and with what tells it of changes. */
export function createConsole(options: ConsoleOptions): Console {
  const { token, build, now } = options;
  const access = guardAccess({ token, now });
  const describe = (version: number) => describeOverview(options, { version, access: access.kind });
  const feed = openFeed({ describe, fingerprint, now });
  return {
    app: createConsoleApp({ sources: options, access, feed, build }),
    access,
    look: async () => feed.look(),
    close: feed.close,
  };

  /** Of what is shown anywhere, and not only in the overview: each window of counts and each probe changes some of it. */
  function fingerprint(): string {
    const { measurements, lineWatch } = options;
    const probes = [...(lineWatch?.states().values() ?? [])].map(({ checkedAt }) => checkedAt);
    return JSON.stringify([measurements.folds(), Math.max(0, ...probes), { ...describe(0), at: 0 }]);
  }
}
