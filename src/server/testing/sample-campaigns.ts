/** Links of every kind, for the tests of the portal and for those of browsers. */
export const SAMPLE_CAMPAIGNS = {
  spring: {
    name: 'Spring cup',
    path: '/promo/spring',
    query: { utm_source: 'channel', code: 'ours' },
    by: [
      { device: ['ios'], country: ['MY'], to: 'landing' },
      { device: ['ios'], to: 'link:ub' },
      { country: ['SG'], path: '/promo/sg' },
    ],
    title: { default: '春季杯', en: 'Spring cup' },
    description: 'Play <b>&</b> win',
    image: 'images/share.jpg',
  },
  home: { name: 'Home', to: 'landing' },
  app: { name: 'App', to: 'target:localhost' },
  android: { name: 'Android', to: 'link:esb' },
  channel: { name: 'Channel', to: 'link:telegram' },
  timed: { name: 'Timed', from: '2026-01-05T12:00Z', until: '2026-01-05T13:00Z' },
  soon: { name: 'Soon', from: '2100-01-01T00:00Z' },
  over: { name: 'Over', until: '2000-01-01T00:00Z' },
};

/** An iPad names itself like this, too. */
export const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
