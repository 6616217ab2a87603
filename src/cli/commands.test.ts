import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';

describe.each(Object.entries(COMMANDS))('%s', (name, { load }) => {
  test('shows an example in its help, and names a wrong option', async () => {
    const { help, run } = await load();
    expect(help).toContain(`\nExample: waypost ${name}`);
    await expect(run(['--colour'])).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_PARSE_ARGS/),
      message: expect.stringContaining("'--colour'"),
    });
  });
});
