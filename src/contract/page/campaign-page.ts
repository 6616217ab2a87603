/** What a link adds to the page that it opens. */
export type CampaignData = {
  readonly code: string;
  readonly end: PageEnd;
  /**
   * For plain files and for iPads, where only the page knows the device: the first entry whose words fit the browser's name replaces
   * `end`. The words are a regular expression.
   */
  readonly by?: readonly { readonly words: string; readonly end: PageEnd }[];
};

/** Where a page takes its visitor. */
export type PageEnd = {
  /** On the line. */
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Away at once, without a race for a line. */
  readonly go?: string | undefined;
  /** Of `/t`. */
  readonly target?: string | undefined;
};

/** Why a link opens the landing page with a line about it. */
export type CampaignNote = 'unknown' | 'soon' | 'ended';

export type CampaignFill = {
  readonly data: CampaignData;
  readonly note?: CampaignNote | undefined;
  /** What other programs show of the link. What is missing is taken from the site. */
  readonly share: {
    readonly path: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    /** Its URL. */
    readonly image?: string | undefined;
  };
};

/** Writes the page of a link for one visitor. */
export type FillCampaign = (fill: CampaignFill) => string;
