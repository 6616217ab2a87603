import { lookup } from 'node:dns/promises';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { describeDetail } from '../../contract/describe-detail.ts';
import type { ChannelFault, IncidentDetail } from '../../contract/incidents.ts';

/** A channel did not take a message. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
  readonly code = 'message';
  readonly fault: ChannelFault;

  constructor(fault: ChannelFault, options?: ErrorOptions) {
    super(describeDetail(fault, 'en'), options);
    this.fault = fault;
  }
}

/** Why a channel did not take a message, of any error. */
export function readChannelFault(error: unknown): IncidentDetail {
  if (error instanceof MessageError) return error.fault;
  return { kind: 'text', text: error instanceof Error ? error.message : String(error) };
}

/** Whether an address may be connected to. */
export type IsAllowed = (address: string) => boolean;

export type PostOptions = {
  readonly isAllowed: IsAllowed;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

/** The text is empty where the message was taken: nobody waits for the rest of such an answer. */
export type HttpAnswer = { readonly status: number; readonly text: string };

const TIMEOUT_MS = 10_000;
/** More of an answer is not read. */
const MAX_ANSWER_CHARS = 2_048;

/**
 * Finds the address of a host, and refuses those of this machine and of private networks. The connection
 * uses this very address, so a name that changes its address a moment later (DNS rebinding) makes no difference.
 */
export async function findAllowedAddress(hostname: string, isAllowed: IsAllowed): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await lookUp(host) : [host];
  if (found.every(isAllowed) && found[0] !== undefined) return found[0];
  throw new MessageError({ kind: 'channel-private', host: hostname });
}

/** Posts JSON, and follows no redirect. Rejects if nobody answers in time. */
export async function postJson(
  url: URL,
  body: string,
  { isAllowed, headers = {}, timeoutMs = TIMEOUT_MS }: PostOptions,
): Promise<HttpAnswer> {
  const address = await findAllowedAddress(url.hostname, isAllowed);
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    lookup: pinAddress(address),
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
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      response.on('error', fail);
      if (isTaken(status)) {
        response.resume();
        return resolve({ status, text: '' });
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, MAX_ANSWER_CHARS);
      });
      response.on('end', () => resolve({ status, text }));
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** Whether a status means that a message was taken. */
export function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

async function lookUp(host: string): Promise<readonly string[]> {
  // Browsers take these names for loopback; many resolvers do not know them.
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1'];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new MessageError(describeFailure(host, error), { cause: error });
  }
}

function pinAddress(address: string): LookupFunction {
  const family = isIP(address);
  return (_hostname, { all }, callback) => {
    // Later, for the reason that `lookupLoopback` has.
    process.nextTick(() => {
      if (all) callback(null, [{ address, family }]);
      else callback(null, address, family);
    });
  };
}

function describeFailure(host: string, error: unknown): ChannelFault {
  const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {};
  return { kind: 'channel-unreachable', host, ...code };
}
