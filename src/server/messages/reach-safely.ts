import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { describeDetail } from '../../contract/describe-detail.ts';
import type { ChannelAnswer, ChannelFault, IncidentDetail } from '../../contract/incidents.ts';
import {
  type IsAllowed,
  PrivateAddressError,
  checkLiteralAddress,
  lookupAllowed,
} from '../../line/lookup-allowed.ts';
import { readCode, readReason } from '../../contract/read-code.ts';

/** A channel did not take a message. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
  readonly code = 'message';
  readonly fault: ChannelFault;
  /** What the other side answered, if it did. */
  readonly answer: ChannelAnswer | undefined;

  constructor(
    fault: ChannelFault,
    { answer, ...options }: ErrorOptions & { readonly answer?: ChannelAnswer | undefined } = {},
  ) {
    super(describeDetail(fault, 'en'), options);
    this.fault = fault;
    this.answer = answer;
  }
}

/** Why a channel did not take a message, of any error. */
export function readChannelFault(error: unknown): IncidentDetail {
  if (error instanceof MessageError) return error.fault;
  return { kind: 'text', text: readReason(error) };
}

export type PostOptions = {
  readonly isAllowed: IsAllowed;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** True if an answer that means "taken" is read, too: some say there that they refuse a message. */
  readonly readsAnswer?: boolean;
};

const TIMEOUT_MS = 10_000;
/** More of an answer is not read. */
const MAX_ANSWER_CHARS = 2_048;

/** Finds the address of a host, for a library that looks up names by itself. Rejects if it may not be asked. */
export async function findAllowedAddress(hostname: string, isAllowed: IsAllowed): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  try {
    checkLiteralAddress(host, isAllowed);
    if (isIP(host) !== 0) return host;
    return await new Promise((resolve, reject) => {
      lookupAllowed(isAllowed)(host, {}, (error, address) => {
        if (error) reject(error);
        else resolve(address as string); // One, because it was not asked for all of them.
      });
    });
  } catch (error) {
    throw new MessageError(describeFailure(hostname, error), { cause: error });
  }
}

/**
 * Posts JSON, and follows no redirect. Rejects if nobody answers in time. If the message was taken, the words are empty, because nobody
 * waits for the rest of the answer, unless `readsAnswer` is set.
 */
export function postJson(
  url: URL,
  body: string,
  { isAllowed, headers = {}, timeoutMs = TIMEOUT_MS, readsAnswer = false }: PostOptions,
): Promise<ChannelAnswer> {
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    lookup: lookupAllowed(isAllowed),
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'waypost',
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    // The path of a URL may be a secret, so only its host is named.
    const fail = (error: unknown): void => {
      // Only the time limit aborts it.
      const isLate = error instanceof Error && error.name === 'AbortError';
      const { host } = url;
      const late = { kind: 'channel-late', host, seconds: timeoutMs / 1_000 } as const;
      reject(new MessageError(isLate ? late : describeFailure(host, error)));
    };
    try {
      checkLiteralAddress(url.hostname, isAllowed);
    } catch (error) {
      return fail(error);
    }
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      response.on('error', fail);
      if (isTaken(status) && !readsAnswer) {
        response.resume();
        return resolve({ status, words: '' });
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, MAX_ANSWER_CHARS);
        if (text.length < MAX_ANSWER_CHARS) return;
        resolve({ status, words: text });
        response.destroy();
      });
      response.on('end', () => resolve({ status, words: text }));
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** What the other side answered, as an object. Undefined if it is no JSON object: then something between here and there has answered. */
export function parseAnswer({ words }: ChannelAnswer): Readonly<Record<string, unknown>> | undefined {
  try {
    const answer: unknown = JSON.parse(words);
    return typeof answer === 'object' && answer !== null ? { ...answer } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a status means that a message was taken. */
export function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

function describeFailure(host: string, error: unknown): ChannelFault {
  if (error instanceof PrivateAddressError) return { kind: 'channel-private', host };
  const code = readCode(error);
  return { kind: 'channel-unreachable', host, ...(code !== '' && { code }) };
}
