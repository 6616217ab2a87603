/** Where the built scripts are, by the path of their source. */
export type Manifest = {
  /** The URLs of an entry and of what it imports, the entry first. */
  readonly scriptsOf: (source: string) => readonly string[];
};

/** The shape is Vite's own: https://vite.dev/guide/backend-integration */
type ManifestEntry = { readonly file: string; readonly imports?: readonly string[] };

/** Reads the manifest of the client's build. */
export function readManifest(given: Readonly<Record<string, unknown>>): Manifest {
  const entries = given as Readonly<Record<string, ManifestEntry>>;
  return {
    scriptsOf(source) {
      const entry = entries[source];
      if (!entry) throw new Error(`The web build has no ${source}; build it again with: npm run build`);
      const imports = (entry.imports ?? []).flatMap((name) => entries[name]?.file ?? []);
      return [entry.file, ...imports].map((file) => `/${file}`);
    },
  };
}
