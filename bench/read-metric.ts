/** Reads the number that a pattern finds in the metrics of a portal. 0 if it finds none. */
export async function readMetric(opsUrl: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await (await fetch(`${opsUrl}/metrics`)).text())?.[1] ?? 0);
}

export async function readResidentMb(opsUrl: string): Promise<number> {
  return (await readMetric(opsUrl, /process_resident_memory_bytes (\d+)/)) / 1e6;
}
