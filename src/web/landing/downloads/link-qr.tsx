import { type ReactNode, useEffect, useState } from 'react';
import { DESKTOP_MIN_WIDTH_PX } from '../../../contract/limits.ts';
import type { drawQr } from './draw-qr.ts';
import styles from './link-qr.module.css';

/** A link as a QR code. The script that draws it is loaded only on a desktop. */
export function LinkQr({ link, title }: { readonly link: string; readonly title: string }): ReactNode {
  const [code, setCode] = useState<ReturnType<typeof drawQr>>();

  useEffect(() => {
    const desktop = matchMedia(`(min-width: ${DESKTOP_MIN_WIDTH_PX}px)`);
    let isCurrent = true;
    const draw = async (): Promise<void> => {
      try {
        const qr = await import('./draw-qr.ts');
        if (isCurrent) setCode(qr.drawQr(link));
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

  return code ? (
    <svg className={styles.qr} viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={title}>
      <path d={code.path} />
    </svg>
  ) : (
    <span className={styles.qr} />
  );
}
