/** Sent to the window before the page is left for the login form. A view with unsaved text cancels it. */
export const SIGNED_OUT_EVENT = 'waypost-signed-out';

/** The session is over: the server answers with the login form instead of the page. */
export function leaveToSignIn(): void {
  if (window.dispatchEvent(new Event(SIGNED_OUT_EVENT, { cancelable: true }))) location.reload();
}
