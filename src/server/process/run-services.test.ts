import { expect, test } from 'vitest';
import { runServices } from './run-services.ts';

test('a service that cannot save does not cut the others short', async () => {
  const events: string[] = [];
  const log = { error: (_: unknown, text?: string) => void events.push(text ?? '') };
  const start = () => () => void events.push('stopped');
  const fails = async (): Promise<void> => {
    throw new Error('the disk is full');
  };
  const saves = async (): Promise<void> => {
    await new Promise(setImmediate);
    events.push('saved');
  };
  const services = runServices(
    [
      { start, close: fails },
      { start, close: saves },
    ],
    log,
  );
  services.start();
  await services.close(10_000);
  expect(events).toEqual([
    'stopped',
    'stopped',
    'a service could not save everything before the end',
    'saved',
  ]);
});
