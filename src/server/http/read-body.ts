/** Reads a request's body as text; undefined where it has more bytes than allowed, or does not arrive whole. */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    // The HTTP parser lets no more through than was declared.
    return Number(declared) <= maxBytes ? request.text().catch(() => undefined) : undefined;
  }
  return request.body === null ? '' : readStream(request.body, maxBytes);
}

async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined; // The sender hung up.
  }
  return Buffer.concat(chunks).toString('utf8');
}
