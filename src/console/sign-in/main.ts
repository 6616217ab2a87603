// The script of the pages before the console: the login form and those of an invitation. All of them work without it.
import './sign-in.css';

keepPlaceInConsole();
offerToCopy();
dropSecondClick();

/**
 * Keeps the part of the link after the `#`, which names a view and never reaches the server: browsers keep it over the
 * redirect to the console. Without it, the form leads to the overview.
 */
function keepPlaceInConsole(): void {
  addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return;
    const url = new URL(target.action);
    url.hash = location.hash;
    target.action = url.href;
  });
}

/**
 * The second click of a double click would send a form again. By then its code or its invitation is used: the refusal would hide that
 * the first was taken, and the recovery codes, which are shown once.
 */
function dropSecondClick(): void {
  addEventListener('click', (event) => {
    const { target, detail } = event;
    if (detail > 1 && target instanceof Element && target.closest('form button')) event.preventDefault();
  });
}

/** Browsers have no clipboard on plain http, except on loopback. */
function offerToCopy(): void {
  const button = document.getElementById('copy');
  const text = document.getElementById(button?.dataset['copies'] ?? '');
  if (button === null || text === null || !('clipboard' in navigator)) return;
  button.hidden = false;
  button.addEventListener('click', () => void copy(text, button));
}

async function copy(text: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    // Without the spaces in a key, which only help to read it.
    await navigator.clipboard.writeText(text.dataset['text'] ?? text.innerText);
    button.textContent = button.dataset['copied'] ?? '';
  } catch {
    // Somebody has forbidden it. The keyboard copies what is selected.
    getSelection()?.selectAllChildren(text);
  }
}
