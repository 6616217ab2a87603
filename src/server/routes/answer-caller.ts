import type { CallerAddress } from '../../contract/caller-address.ts';
import type { CallerTokens } from '../caller/caller-tokens.ts';
import { answerJson } from '../http/answer.ts';
import type { ApiHandler } from '../http/limit-rate.ts';

/** Pages of another origin may ask: the service can be deployed apart from them. */
const OPEN_TO_ALL = { 'Access-Control-Allow-Origin': '*' };

/** Tells callers their address, and proof of it for the hostname call. */
export function answerCaller({ tokens }: { readonly tokens: CallerTokens }): ApiHandler {
  return ({ visit, rateHeaders }) => {
    const { address } = visit.caller;
    const body: CallerAddress = { get_ip: address.text, key_id: tokens.issue(address) };
    return answerJson(visit, JSON.stringify(body), { headers: { ...rateHeaders, ...OPEN_TO_ALL } });
  };
}
