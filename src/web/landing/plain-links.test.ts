import { parse } from 'acorn';
import { expect, test } from 'vitest';
import { renderHideDismissed } from './notices/announcement-bar.tsx';
import { PLAIN_LINKS_SCRIPT } from './render-landing.tsx';

test.each([
  ['shows plain links where no other script runs', PLAIN_LINKS_SCRIPT],
  ['hides an announcement', renderHideDismissed('Tonight </script>')],
])('the inline script that %s can be parsed by browsers of 2009', (_, script) => {
  expect(() => parse(script, { ecmaVersion: 5 })).not.toThrow();
  expect(script).not.toContain('</script');
});
