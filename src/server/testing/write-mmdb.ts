/**
 * Writes a small mmdb file (https://maxmind.github.io/MaxMind-DB/): a binary tree over the bits of addresses, whose
 * leaves point to records. Enough of the format for a test: ranges of IPv4, and of IPv6 such as "2a00::/12", small records.
 */
export function writeMmdb(records: Readonly<Record<string, Value>>, ipVersion: 4 | 6): Buffer {
  const data = Object.values(records).map(encode);
  const offsets = data.map((_, index) => Buffer.concat(data.slice(0, index)).length);
  const tree: [Leaf, Leaf][] = [[undefined, undefined]];
  for (const [index, range] of Object.keys(records).entries())
    addRange(tree, range, { leaf: { record: index }, ipVersion });
  const nodes = tree.map((node) => {
    const bytes = Buffer.alloc(8);
    for (const side of [0, 1] as const)
      bytes.writeUInt32BE(pointTo(node[side], tree.length, offsets), side * 4);
    return bytes;
  });
  const metadata = encode({
    node_count: tree.length,
    record_size: 32,
    ip_version: ipVersion,
    database_type: 'Test',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    languages: 'en',
    description: 'test',
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([...nodes, Buffer.alloc(16), ...data, marker, metadata]);
}

/** An mmdb file that knows the countries of some ranges. */
export function writeCountryMmdb(countries: Readonly<Record<string, string>>, ipVersion: 4 | 6 = 4): Buffer {
  const records = Object.entries(countries).map(([range, code]) => [range, { country: { iso_code: code } }]);
  return writeMmdb(Object.fromEntries(records) as Readonly<Record<string, Value>>, ipVersion);
}

/** The same, with the first record damaged. */
export function writeDamagedMmdb(countries: Readonly<Record<string, string>>, ipVersion: 4 | 6 = 4): Buffer {
  const bytes = writeCountryMmdb(countries, ipVersion);
  // A map and the length of its key come before the key.
  bytes.fill(0, bytes.indexOf('country') - 2, bytes.indexOf('country'));
  return bytes;
}

type Leaf = number | { readonly record: number } | undefined;

function addRange(
  tree: [Leaf, Leaf][],
  range: string,
  { leaf, ipVersion }: { readonly leaf: Leaf; readonly ipVersion: 4 | 6 },
): void {
  const [base = '', bits = '32'] = range.split('/');
  const octets = base.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  // Of "2a00::", in words of 16 bits.
  const words = base.split(':').map((word) =>
    Number.parseInt(word || '0', 16)
      .toString(2)
      .padStart(16, '0'),
  );
  // In a tree for IPv6, the IPv4 addresses come first.
  const path = base.includes(':')
    ? words.join('').slice(0, Number(bits))
    : '0'.repeat(ipVersion === 6 ? 96 : 0) + octets.join('').slice(0, Number(bits));
  let node = tree[0];
  for (const [depth, bit] of path.split('').entries()) {
    const side = bit === '1' ? 1 : 0;
    if (node === undefined) return;
    if (depth === path.length - 1) {
      node[side] = leaf;
      return;
    }
    const next = node[side];
    const index = typeof next === 'number' ? next : tree.push([undefined, undefined]) - 1;
    node[side] = index;
    node = tree[index];
  }
}

function pointTo(leaf: Leaf, nodeCount: number, offsets: readonly number[]): number {
  if (leaf === undefined) return nodeCount;
  return typeof leaf === 'number' ? leaf : nodeCount + 16 + (offsets[leaf.record] ?? 0);
}

type Value = string | number | { readonly [key: string]: Value };

/** The control byte holds the type and the length, which is below 29 here. */
function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8((6 << 5) | 4);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const entries = Object.entries(value);
  const encoded = entries.flatMap(([key, item]) => [encode(key), encode(item)]);
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...encoded]);
}
