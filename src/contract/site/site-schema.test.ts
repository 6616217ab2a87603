import { toJsonSchema } from '@valibot/to-json-schema';
import { expect, test } from 'vitest';
import { DEFAULT_LANGUAGES } from './locales.ts';
import { createSiteConfigSchema } from './site-config.ts';

test('the JSON Schema beside site.json says what the server demands (vitest -u writes it anew)', async () => {
  // Rules that are code, such as what makes a host, have no words in JSON Schema: `waypost check` has the last one.
  const schema = toJsonSchema(createSiteConfigSchema(DEFAULT_LANGUAGES), {
    typeMode: 'input',
    errorMode: 'ignore',
  });
  await expect(
    `${JSON.stringify({ title: 'Waypost site.json', ...schema }, undefined, 2)}\n`,
  ).toMatchFileSnapshot('../../../site/site.schema.json');
});
