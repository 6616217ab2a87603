// Gzips texts away from the page's own thread.
import type { CompressorAnswer, CompressorTask } from './open-compressor.ts';

const isSupported = 'CompressionStream' in globalThis;

self.addEventListener('message', ({ data }: MessageEvent<CompressorTask>) => void answer(data));
say({ kind: isSupported ? 'ready' : 'unsupported' });

async function answer({ id, text }: CompressorTask): Promise<void> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
  say({ kind: 'compressed', id, bytes }, [bytes.buffer]);
}

function say(message: CompressorAnswer, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
