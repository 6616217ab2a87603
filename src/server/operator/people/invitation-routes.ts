import type { Hono } from 'hono';
import { PEOPLE_PATHS } from '../../../contract/paths.ts';
import { refuseAllButGetAndPost } from '../../http/errors.ts';
import { readCode } from '../../../contract/read-code.ts';
import { UncertainCommitError, isAway } from '../../store/database.ts';
import type { OperatorContext, OperatorEnv } from '../access/operator-request.ts';
import { renderInvitationPage, renderOverPage, renderWelcomePage } from './render-invitation.ts';
import {
  SIGN_IN_HEADERS,
  type SignInDeps,
  describePage,
  readCredentials,
  readForm,
  startSession,
} from './sign-in-form.ts';

/** The page of an invitation, on which a person sets up the account. */
export function addInvitationRoutes(app: Hono<OperatorEnv>, deps: SignInDeps): void {
  const { access, accounts } = deps;
  app
    .get(PEOPLE_PATHS.invitation, showInvitation)
    .post(...readForm(acceptInvitation))
    .all(refuseAllButGetAndPost);

  function showInvitation(c: OperatorContext): Response | Promise<Response> {
    const key = c.req.query('key') ?? '';
    const invitation = accounts.openInvitation(key);
    const page = describePage(c, deps);
    if (invitation === undefined) return c.html(renderOverPage(page), 410, SIGN_IN_HEADERS);
    return c.html(renderInvitationPage(page, { key, invitation }), 200, SIGN_IN_HEADERS);
  }

  async function acceptInvitation(c: OperatorContext, form: URLSearchParams): Promise<Response> {
    const request = c.get('request');
    access.checkForm(request);
    const page = describePage(c, deps);
    const key = form.get('key') ?? '';
    const acceptance = await accounts
      .acceptInvitation(key, readCredentials(form), request)
      .catch(refuseForNow);
    if (acceptance.kind === 'done') {
      const { person, codes } = acceptance;
      const signedIn = { person: person.name, epoch: person.epoch };
      c.header('Set-Cookie', await startSession(deps, request, signedIn));
      return c.html(renderWelcomePage(page, codes), 200, SIGN_IN_HEADERS);
    }
    const { problem } = acceptance;
    const invitation = accounts.openInvitation(key);
    if (invitation === undefined || problem === 'invitation-over') {
      return c.html(renderOverPage(page), 410, SIGN_IN_HEADERS);
    }
    const isBusy = ['store-away', 'store-uncertain', 'too-many-sign-ins'].includes(problem);
    const status = isBusy ? 503 : 400;
    return c.html(renderInvitationPage(page, { key, invitation, problem }), status, SIGN_IN_HEADERS);
  }
}

/** An invitation is a page, so what cannot be done at this moment is told on it. */
function refuseForNow(error: unknown): {
  readonly kind: 'refused';
  readonly problem: 'store-away' | 'store-uncertain' | 'too-many-sign-ins';
} {
  if (readCode(error) === 'too-many-sign-ins') return { kind: 'refused', problem: 'too-many-sign-ins' };
  if (isAway(error)) return { kind: 'refused', problem: 'store-away' };
  if (error instanceof UncertainCommitError) return { kind: 'refused', problem: 'store-uncertain' };
  throw error;
}
