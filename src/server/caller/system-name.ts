/** The name of an autonomous system in the configuration and in areas, such as `AS2856`. */
export function nameSystem(system: number): string {
  return `AS${system}`;
}

/** Whether a network is an autonomous system, and not a range of addresses. */
export function isSystem(network: string): boolean {
  return parseSystem(network) !== undefined;
}

/** The number of an autonomous system. Undefined for a range of addresses. */
export function parseSystem(name: string): number | undefined {
  const digits = /^AS(\d+)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
