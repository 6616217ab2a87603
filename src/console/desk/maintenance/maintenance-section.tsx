import type { ReactNode } from 'react';
import kit from '../../parts/view.module.css';
import { LineMaintenance } from './line-maintenance.tsx';
import { SiteMaintenance } from './site-maintenance.tsx';

/** What is planned: for the whole site, and for lines. */
export function MaintenanceSection(): ReactNode {
  return (
    <div className={kit.view}>
      <SiteMaintenance />
      <LineMaintenance />
    </div>
  );
}
