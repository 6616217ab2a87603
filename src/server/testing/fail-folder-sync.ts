import { type FileHandle, open } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

/** After the next write of a file, which is synced, the sync of its folder fails. */
export async function failFolderSync(dir: string): Promise<void> {
  const folder = await open(dir);
  const handles = Object.getPrototypeOf(folder) as FileHandle;
  await folder.close();
  const sync = vi.spyOn(handles, 'sync');
  onTestFinished(() => sync.mockRestore());
  sync
    .mockResolvedValueOnce()
    .mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fsync' }));
}
