type SignalSource = Pick<NodeJS.EventEmitter, 'once' | 'off'>;

/** Resolves when the program is asked to end, by Ctrl-C or by its supervisor. A second signal ends it the hard way. */
export function waitForSignal(source: SignalSource): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      source.off('SIGINT', end);
      source.off('SIGTERM', end);
      resolve();
    };
    source.once('SIGINT', end);
    source.once('SIGTERM', end);
  });
}
