/** An answer other than the one asked for, with what a program (`code`) and a person (`message`) need to know. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    {
      code,
      message,
      headers = {},
    }: { code: string; message: string; headers?: Readonly<Record<string, string>> },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
