import type { Registry } from 'prom-client';
import type { Access } from './access/guard-access.ts';
import type { Answer, App } from '../http/exchange.ts';
import { refuseMethod } from '../http/refusals.ts';

export type OpsDeps = {
  readonly registry: Registry;
  /** False while the server is closing: a load balancer should look elsewhere. */
  readonly isReady: () => boolean;
  readonly access: Pick<Access, 'check' | 'checkHealth'>;
  /** Answers everything else, by the same rules of access. */
  readonly console: App;
  readonly answerError: (error: unknown) => Answer;
};

type Tool = { readonly check: Access['check']; readonly answer: () => Answer | Promise<Answer> };

/** What the operator's tools ask (is it alive, is it ready, what has it counted), and the operator's console. */
export function createOpsApp({ registry, isReady, access, console, answerError }: OpsDeps): App {
  const tools = new Map<string, Tool>([
    ['/healthz', { check: access.checkHealth, answer: () => answerText(200, 'ok\n') }],
    [
      '/readyz',
      {
        check: access.checkHealth,
        answer: () => (isReady() ? answerText(200, 'ready\n') : answerText(503, 'closing\n')),
      },
    ],
    [
      '/metrics',
      {
        check: access.check,
        answer: async () => answerText(200, await registry.metrics(), registry.contentType),
      },
    ],
  ]);
  return async (request) => {
    try {
      const tool = tools.get(request.path);
      if (tool === undefined) return await console(request);
      tool.check(request);
      if (!/^(?:GET|HEAD)$/.test(request.method)) throw refuseMethod('GET, HEAD');
      return await tool.answer();
    } catch (error) {
      return answerError(error);
    }
  };
}

function answerText(status: number, body: string, type = 'text/plain; charset=utf-8'): Answer {
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: { 'Content-Type': type, 'Content-Length': length, 'Cache-Control': 'no-store' },
    body,
  };
}
