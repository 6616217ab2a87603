import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const READY_TIMEOUT_MS = 100_000;
const POLL_MS = 10;

/** Waits until a program listens on these ports of loopback. If it does not, the error shows its standard error. */
export async function waitUntilListening(child: ChildProcess, ports: readonly number[]): Promise<void> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer | string) => (output += chunk.toString()));
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (const port of ports) {
    while (!(await accepts(port))) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${child.spawnfile} does not listen on ${port}: ${output}`);
      }
      await wait(POLL_MS);
    }
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not yet.
  } finally {
    socket.destroy();
  }
}
