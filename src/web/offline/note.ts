import { LINKS_PATH } from '../../contract/paths.ts';
import { watchPortal } from './watch-portal.ts';

// Part of the shell of `/`, after the note that says that the portal cannot be reached.
const note = document.getElementById('offline-note');

watchPortal({
  page: window,
  ask: (signal) => fetch(LINKS_PATH, { cache: 'no-store', signal }),
  onBack() {
    note?.querySelector('span')?.toggleAttribute('hidden', true);
    note?.querySelector('a')?.toggleAttribute('hidden', false);
  },
});
