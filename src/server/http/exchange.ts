/** A request as the app sees it: enough of one to be answered, and easy to make up in a test. */
export type AppRequest = {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** What follows the question mark, or nothing. */
  readonly query: string;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The body as text; undefined where it is larger than allowed, or does not arrive whole. */
  readonly readBody: (maxBytes: number) => Promise<string | undefined>;
  /** The address of the socket's other end. */
  readonly peerAddress: string;
  readonly isEncrypted: boolean;
};

export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer that goes on: it is started with what it may write to, and returns what ends it when the client goes. */
export type AnswerStream = (output: StreamOutput) => () => void;

export type StreamOutput = {
  /** A client that does not take what is written is cut off. */
  readonly write: (text: string) => void;
  readonly end: () => void;
};

export type Answer = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string | Buffer | AnswerStream | undefined;
};

/** What is ready is answered at once: a promise for each request would cost more than most answers do. */
export type App = (request: AppRequest) => Answer | Promise<Answer>;
