import { expect, test } from 'vitest';
import { listStyles } from './load-web-build.ts';

test('the styles of a script include those of what it imports, each once, and before its own', () => {
  const part = (css: string[], imports: string[] = []) => ({ file: 'x.js', css, imports });
  const manifest = {
    'main.tsx': part(['main.css'], ['_shared.js', '_runtime.js']),
    '_shared.js': part(['shared.css'], ['_runtime.js', 'main.tsx']),
    '_runtime.js': part([]),
    'later.tsx': part(['later.css'], ['main.tsx']),
  };
  expect(listStyles(manifest, 'main.tsx')).toEqual(['shared.css', 'main.css']);
});
