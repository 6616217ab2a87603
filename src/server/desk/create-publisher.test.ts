import { expect, test } from 'vitest';
import { DeadlineError } from '../process/with-deadline.ts';
import { type PublisherDeps, createPublisher } from './create-publisher.ts';

test('a version that was not ready in time is refused with what to do, and is no fault of the server', async () => {
  const keeper = { replace: () => Promise.reject(new DeadlineError('the version was not ready in time')) };
  // Nothing else is asked.
  const { goLive } = createPublisher({ keeper, stores: {} } as unknown as PublisherDeps);
  const publication = { person: { name: 'mei', role: 'owner' }, request: undefined } as const;
  const publishing = goLive(publication, () => Promise.reject(new Error('it is not prepared')));
  await expect(publishing).rejects.toMatchObject({ code: 'desk-busy' });
});
