import { type ReactNode, useEffect, useState } from 'react';
import { DESKTOP_MEDIA } from '../../../contract/limits.ts';
import { usePage } from '../../kit/page/page-context.ts';
import type { Qr } from './draw-qr.ts';
import styles from './link-qr.module.css';

/** A camera reads no smaller module from a screen. */
const MODULE_PX = 3;

/** A link as a QR code, or a text that says that it is too long. The script that draws it is loaded only on a desktop. */
export function LinkQr({ link, title }: { readonly link: string; readonly title: string }): ReactNode {
  const { texts } = usePage();
  const [code, setCode] = useState<Qr | 'none' | 'too-long'>('none');

  useEffect(() => {
    const desktop = matchMedia(DESKTOP_MEDIA);
    let isCurrent = true;
    const draw = async (): Promise<void> => {
      try {
        const qr = await import('./draw-qr.ts');
        if (isCurrent) setCode(qr.drawQr(link) ?? 'too-long');
      } catch {
        // The script may fail to load. The link itself is shown beside the code.
      }
    };
    const drawOnDesktop = (): void => {
      if (desktop.matches) void draw();
    };
    drawOnDesktop();
    // A phone may be turned, or a window widened.
    desktop.addEventListener('change', drawOnDesktop);
    return () => {
      isCurrent = false;
      desktop.removeEventListener('change', drawOnDesktop);
    };
  }, [link]);

  if (code === 'none') return <span className={styles.space} />;
  if (code === 'too-long') return <p className={styles.tooLong}>{texts.qrTooLong}</p>;
  const { size, path } = code;
  return (
    <svg
      className={styles.qr}
      width={size * MODULE_PX}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={title}
    >
      <path d={path} />
    </svg>
  );
}
