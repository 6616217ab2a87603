import type { DeskTexts } from '../locale/en.ts';

/** Says why an entry is no host. The words for faults are loaded with the first such entry, because few people type one. */
export async function describeHost(entry: string, texts: DeskTexts): Promise<string> {
  const [{ describeRule }, { explainHost }] = await Promise.all([
    import('../../../contract/faults/describe-site-fault.ts'),
    import('../../../contract/site/explain-host.ts'),
  ]);
  return texts.notAHost(entry, describeRule(explainHost(entry), texts.language));
}
