import type {
  Compared,
  NamedCount,
  SourceStep,
  UTM_KINDS,
  VisitGroup,
  VisitorPoint,
  VisitorRange,
} from './visitors.ts';

/** What the console shows of the links of campaigns. Times are ms since 1970; days are days in UTC. */

/** `removed`: it has numbers, and is no longer in `site.json`. */
export type CampaignState = 'open' | 'soon' | 'ended' | 'removed';

export type CampaignSummary = {
  readonly code: string;
  /** That of `site.json`. Empty if it is not there. */
  readonly name: string;
  /** Where it ends, as `site.json` has it. */
  readonly to: string;
  readonly state: CampaignState;
  readonly steps: Readonly<Record<SourceStep, Compared>>;
  /** How often programs that show links, and browsers that fetch ahead, have asked for it. */
  readonly fetches: { readonly preview: Compared; readonly prefetch: Compared };
  /** How often it was opened in each hour of the period, or on each of its days. */
  readonly views: readonly number[];
};

type Period = {
  readonly at: number;
  /** Whether `analytics.counts` is "self". */
  readonly isOn: boolean;
  readonly range: VisitorRange;
  /** When the period began, and when the one before it did. */
  readonly from: number;
  readonly beforeFrom: number;
  /** Where visitors open the portal. Empty if `site.json` does not say. */
  readonly publicUrl: string;
};

export type CampaignNumbers = Period & {
  /** The most opened first. */
  readonly campaigns: readonly CampaignSummary[];
  /** Visits of any page that came with such a parameter, by its value. */
  readonly utm: Readonly<Record<(typeof UTM_KINDS)[number], readonly UtmCount[]>>;
};

export type UtmCount = NamedCount & { readonly entered: Compared };

export type CampaignDetail = Period & {
  readonly campaign: CampaignSummary;
  readonly points: readonly VisitorPoint[];
  readonly pointMs: number;
  readonly countries: readonly VisitGroup[];
  readonly languages: readonly VisitGroup[];
  readonly devices: readonly VisitGroup[];
  /** How the QR code of the link looks: the colour of its modules, and the logo as a data URL, empty for none. */
  readonly qr: { readonly colour: string; readonly logo: string };
};
