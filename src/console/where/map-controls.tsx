import type { ReactNode } from 'react';
import { Check, LabelledSelect } from '../parts/labelled-input.tsx';
import { Switch } from '../parts/switch.tsx';
import styles from './heat-map.module.css';
import type { MapZoom } from './lay-out-map.ts';
import { LINE_ORDERS, type MapOrder, NETWORK_ORDERS } from './order-networks.ts';
import { useWhereTexts } from './texts.ts';

type MapControlsProps = {
  readonly order: MapOrder;
  /** Undefined if there is nothing to choose. */
  readonly zoom: MapZoom | undefined;
  readonly onOrder: (order: MapOrder) => void;
  readonly onZoom: (zoom: MapZoom) => void;
};

/** The order of the map, and how large its cells are. */
export function MapControls({ order, zoom, onOrder, onZoom }: MapControlsProps): ReactNode {
  const texts = useWhereTexts();
  return (
    <div className={styles.controls}>
      <LabelledSelect
        label={texts.networkOrder}
        value={order.networks}
        onChange={({ currentTarget: { value } }) =>
          onOrder({ ...order, networks: NETWORK_ORDERS.find((known) => known === value) ?? 'worst' })
        }
      >
        {NETWORK_ORDERS.map((name) => (
          <option key={name} value={name}>
            {texts.networkOrders[name]}
          </option>
        ))}
      </LabelledSelect>
      <LabelledSelect
        label={texts.lineOrder}
        value={order.lines}
        onChange={({ currentTarget: { value } }) =>
          onOrder({ ...order, lines: LINE_ORDERS.find((known) => known === value) ?? 'site' })
        }
      >
        {LINE_ORDERS.map((name) => (
          <option key={name} value={name}>
            {texts.lineOrders[name]}
          </option>
        ))}
      </LabelledSelect>
      {zoom !== undefined && (
        <Switch
          name={texts.zoom}
          choices={(['fit', 'numbers'] as const).map((value) => ({ value, text: texts.zooms[value] }))}
          value={zoom}
          onChoose={onZoom}
        />
      )}
      <Check
        label={texts.group}
        isChecked={order.isGrouped}
        onChange={(isGrouped) => onOrder({ ...order, isGrouped })}
      />
    </div>
  );
}
