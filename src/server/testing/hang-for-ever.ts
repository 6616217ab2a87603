/** Takes a message, and never answers: its thread is busy for good. */
export function hangForEver(): void {
  process.on('message', () => {
    for (;;);
  });
}
