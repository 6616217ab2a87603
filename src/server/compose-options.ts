import type { Logger } from 'pino';
import type { DeskWork } from './desk/work/jobs.ts';
import type { AskLine } from './lines/create-line-asker.ts';
import type { MessageOptions } from './messages/create-send.ts';
import type { WebBuild } from './site/load-web-build.ts';
import type { DatabasePlace } from './store/open-database.ts';

/** What a server is made of, apart from its listeners. */
export type ComposeOptions = {
  readonly siteDir: string;
  /** Where the server keeps its database and its snapshots. */
  readonly dataDir: string;
  readonly log: Logger;
  /** How many lines the log has dropped, for the metrics. */
  readonly droppedLogLines?: () => number;
  /** Instead of the secret in the database. */
  readonly secret?: string | undefined;
  /** Keeps versions, which can be changed from the console. */
  readonly isEditing?: boolean;
  /** Instead of the processes of least priority that work on what editors send. */
  readonly deskWork?: DeskWork | undefined;
  /** Where browsers find the preview, if not on the console's own host. */
  readonly previewUrl?: string | undefined;
  /** The database that several portals share; without it the data folder has one of its own. */
  readonly database?: Omit<DatabasePlace, 'dataDir'>;
  /** Sends a line the speed check; without it the server does not probe the lines itself. */
  readonly askLine?: AskLine;
  /** Sends a line the speed check for somebody at the console, who may name any address. */
  readonly checkLine?: AskLine;
  /** The pause between two probes of all lines; 30 s by default. */
  readonly probeEveryMs?: number;
  /** Demanded by the operator's listener. */
  readonly opsToken?: string | undefined;
  /** False if everybody on this machine may look without signing in, although editing is on. */
  readonly mustSignIn?: boolean;
  /** A proxy that signs people in: the header that names the person, and the ranges of the proxy's own addresses. */
  readonly operatorProxy?: { readonly header: string; readonly ranges: readonly string[] } | undefined;
  /** How messages about incidents leave this machine. Without it they cannot. */
  readonly messages?: MessageOptions;
  /** Instead of the build that lies next to this module. */
  readonly web?: WebBuild;
  /** Proxies to believe in addition to those that the site folder names. */
  readonly trustedProxies?: readonly string[];
};
