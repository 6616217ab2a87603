import { expect, test } from 'vitest';
import { EMPTIABLE_TEXT_KEYS, TEXT_KEYS } from '../../../contract/site/text-keys.ts';
import { en } from '../../../contract/site/texts/en.ts';
import { zhCN } from '../../../contract/site/texts/zh-cn.ts';
import { zhTW } from '../../../contract/site/texts/zh-tw.ts';

test('docs/texts.md lists every text with its default in each language (vitest -u writes it anew)', async () => {
  const rows = TEXT_KEYS.map(
    (key) => `| \`${key}\` | ${[zhCN, zhTW, en].map((texts) => escape(texts[key])).join(' | ')} |`,
  );
  const document = `# The texts of the pages

To replace a text, name its language and its key in \`site.json\`: \`"texts": { "en": { "retest": "Again" } }\`. What you leave out
keeps the default below; a language that is not in the table takes its default from the default language, see
[operate.md](operate.md#your-brand-in-several-languages). \`{brand}\`, \`{mainBrowser}\` and \`{androidBrowser}\` become the names of your brand; \`{n}\`, \`{name}\` and
other words in braces are filled in by the page, so keep them. Only ${EMPTIABLE_TEXT_KEYS.map((key) => `\`${key}\``).join(' and ')} may be empty (\`""\`).

This table is made from the code by a test.

| key | zh-CN | zh-TW | en |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  await expect(document).toMatchFileSnapshot('../../../../docs/texts.md');
});

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}
