/** Finds the URL of a built script by the path of its source. */
export type Manifest = {
  readonly urlOf: (source: string) => string;
};

/** As Vite writes it: https://vite.dev/guide/backend-integration */
type ManifestEntry = { readonly file: string };

/** Reads the manifest of the client's build. */
export function readManifest(given: Readonly<Record<string, unknown>>): Manifest {
  const entries = given as Readonly<Record<string, ManifestEntry>>;
  return {
    urlOf(source) {
      const entry = entries[source];
      if (!entry) throw new Error(`The web build has no ${source}; build it again with: npm run build`);
      return `/${entry.file}`;
    },
  };
}
