import { parse } from 'acorn';
import { expect, test } from 'vitest';
import { renderHideDismissed } from './notices/announcement-bar.tsx';
import { renderShowPlainLinks } from './show-plain-links.ts';

test.each([
  ['shows plain links where no other script runs', renderShowPlainLinks()],
  ['hides an announcement', renderHideDismissed('Tonight </script>')],
])('the inline script that %s can be parsed by browsers of 2009', (_, script) => {
  expect(() => parse(script, { ecmaVersion: 5 })).not.toThrow();
  expect(script).not.toContain('</script');
});
