/** The words for one kind of thing, with gaps for its values. */
type Words = string | ((values: never) => string);

/** What a table of words can say: one of its kinds, with the values that its words need. */
export type Said<Table> = {
  readonly [Kind in keyof Table]: { readonly kind: Kind } & ValuesOf<Table[Kind]>;
}[keyof Table];

export type ValuesOf<Of> = Of extends (values: infer Values) => string ? Values : unknown;

/** Says something in the words of a table. A newer portal that shares the database of this one may know more kinds. */
export function say(table: Readonly<Record<string, Words>>, said: { readonly kind: string }): string {
  const words = table[said.kind] ?? said.kind;
  // The type of what is said follows from the table.
  return typeof words === 'string' ? words : words(said as never);
}
