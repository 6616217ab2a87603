import type { HealthFault } from '../../contract/line/line-fault.ts';
import type { LineReply, AskForBody } from '../../contract/line/line-reply.ts';
import type { HealthRule } from '../../contract/site/line-settings.ts';

/** Longer bodies are cut here, and then are no valid JSON. */
const HEALTH_MAX_BYTES = 65_536;

/** Creates the function that sends the request of `lines.health`. */
export function createAskApplication(
  rule: HealthRule | undefined,
  request: AskForBody,
): ((address: string) => Promise<HealthFault | undefined>) | undefined {
  if (rule === undefined) return undefined;
  const { path, timeoutMs } = rule;
  return async (address) =>
    findHealthFault(await request(address, { path, timeoutMs, maxBodyBytes: HEALTH_MAX_BYTES }), rule);
}

/** Judges what a line's application answered to the health check. Undefined if it is alive. */
function findHealthFault(reply: LineReply, { path, expect }: HealthRule): HealthFault | undefined {
  if (reply.kind !== 'answer') return { kind: 'health-no-answer', path };
  const { status, body = '' } = reply;
  if (status !== expect.status) return { kind: 'health-status', path, status };
  const { text, json } = expect;
  if (text !== undefined && !body.includes(text)) return { kind: 'health-body', path };
  const isWrong = json !== undefined && readJson(body, json.path) !== json.value;
  return isWrong ? { kind: 'health-body', path } : undefined;
}

/** Reads the value at a path such as `a.b.c`. Undefined if there is none. */
function readJson(body: string, path: string): unknown {
  try {
    return path.split('.').reduce((value: unknown, key) => {
      const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
      return isOwn ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    }, JSON.parse(body));
  } catch {
    return undefined; // Not JSON, or cut off.
  }
}
