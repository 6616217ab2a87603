/** How long a test waits for what should come soon. A busy machine is no failure. */
export const PATIENCE = { timeout: 50_000, interval: 50 };
