/** Writes the network of an area as a range: "198.51" as "198.51.0.0/16", "2001:db8" as "2001:db8::/32". Others stay: "AS2856". */
export function writeRange(network: string): string {
  if (network.includes(':')) return `${network}::/32`;
  return /^\d+\.\d+$/.test(network) ? `${network}.0.0/16` : network;
}
