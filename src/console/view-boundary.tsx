import { Component, type ReactNode } from 'react';
import { Empty } from './parts/panel.tsx';
import { TEXTS } from './texts.ts';

type ViewBoundaryProps = { readonly children: ReactNode };

/** Keeps the console in place where one view cannot be shown: after an upgrade its script may have another name. */
export class ViewBoundary extends Component<ViewBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty>
        {TEXTS.viewBroken}{' '}
        <button type="button" onClick={() => location.reload()}>
          {TEXTS.reload}
        </button>
      </Empty>
    );
  }
}
