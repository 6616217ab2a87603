import type { CallerAddress } from '../../contract/api/caller-address.ts';
import type { CallerTokens } from '../caller/caller-tokens.ts';
import { answerJson } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import type { ApiVisit } from './limit-rate.ts';

/** Tells callers their address, and proof of it for the hostname call. */
export function answerCaller({ tokens }: { readonly tokens: CallerTokens }): (visit: ApiVisit) => Answer {
  return ({ caller: { address }, headers }) => {
    const body: CallerAddress = { get_ip: address.text, key_id: tokens.issue(address) };
    // Pages of another origin may ask: the service can be deployed apart from them.
    headers['Access-Control-Allow-Origin'] = '*';
    return answerJson(JSON.stringify(body), headers);
  };
}
