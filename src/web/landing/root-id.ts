/** The element that React renders the landing page into, on the server and in the browser. */
export const ROOT_ID = 'root';
