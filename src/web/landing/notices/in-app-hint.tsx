import { type CSSProperties, type ReactNode, useLayoutEffect, useState } from 'react';
import { CopyButton } from '../copy-button.tsx';
import controls from '../../kit/page/controls.module.css';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { dismissInAppHint, isInAppHintWanted, releaseInAppPlace } from './in-app-place.ts';

// Every page carries the style sheet, and few pages show the hint. So this is set here.
const HINT: CSSProperties = {
  display: 'flex',
  alignItems: 'start',
  marginTop: 'var(--space-2)',
  padding: 'var(--space-1) 0',
  paddingInlineStart: 'var(--space-4)',
  border: '1px solid var(--accent)',
  borderRadius: 'var(--radius-m)',
  background: 'var(--raised)',
  fontSize: '0.8125rem',
  lineHeight: 1.45,
};
/** The button is beside the text where there is room. */
const INSIDE: CSSProperties = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 var(--space-3)',
  flex: 1,
  minWidth: 0,
};
const TEXT: CSSProperties = { flex: '1 1 14rem', minWidth: 0, padding: 'var(--space-1) 0' };

/** Tells visitors in an in-app browser, which may block downloads and redirects, how to leave it. It is near the menu that it speaks of. */
export function InAppHint(): ReactNode {
  const { texts } = usePage();
  const [address, setAddress] = useState<string>();

  useLayoutEffect(() => {
    if (!isInAppHintWanted(window)) return;
    releaseInAppPlace(document);
    setAddress(location.href);
  }, []);

  const dismiss = (): void => {
    dismissInAppHint(window);
    setAddress(undefined);
  };

  if (address === undefined) return null;
  return (
    <aside style={HINT} aria-label={texts.copyPage}>
      <div style={INSIDE}>
        <p style={TEXT}>{texts.inAppHint}</p>
        <CopyButton text={address} label={texts.copyPage} isLabelled />
      </div>
      <button
        className={controls.dismiss}
        type="button"
        data-silent="in-app-hint"
        aria-label={texts.dismiss}
        onClick={dismiss}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}
