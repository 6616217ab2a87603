import type { WhyReason } from '../../contract/console.ts';
import { createTextsHook } from '../locale/locale.ts';

/** The texts of this view. They are loaded with it. */
const en = {
  reasons: {
    maintenance: 'In maintenance: handed to nobody until that ends.',
    countries: 'Its rule (countries) keeps it from visitors of this country.',
    networks: 'Its rule (networks) keeps it from visitors of this network.',
    'by-address': 'Its rule (networks) names address ranges: only visitors in them are handed it.',
    drain: 'Drained: handed to nobody new.',
    down: 'Down for everybody by the server’s own probe: handed to nobody until it answers again.',
    'reached-though-down':
      'Down by the server’s own probe, but visitors reached it in the last two minutes: it is still handed out.',
    'all-down': 'All lines are down, and nobody reaches any: it is handed out because no line would be left.',
    uniform: 'Steering is off (lines.steering is "uniform"): lines are drawn by weight alone.',
    all: 'The site has no more than four lines to hand out, so everybody gets all of them.',
    best: 'One of the three best scores here.',
    turns: 'About as good as the best here: it takes turns with them.',
    slower: 'Too slow here to be among the best: handed out now and then, to notice if it gets faster.',
    'less-reached': 'Too few reach it here: handed out now and then, to notice if that gets better.',
    loaded:
      'It has more than its share of visitors right now, and is spared until the others have caught up.',
  } satisfies Record<WhyReason, string>,
  whyNote:
    'A line’s score is its time, lengthened by those who do not reach it and by its load. Smaller is better. A visitor gets the three smallest scores, with a little chance involved, and one of the other lines as a wildcard. The time and the part that reaches a line are estimates from the tries of this network, its country and everyone; the map of “Where” shows the tries of this network alone.',
  /** Of the three best, by their rank. */
  best: [
    'The best score here.',
    'The second-best score here.',
    'The third-best score here.',
  ] as readonly string[],
  rank: 'Rank',
  guess: 'guess',
  guessNote: 'nobody in this network has tried it yet: its numbers are those of the country, or of everyone',
  allGuesses:
    'Nothing was heard from this network yet, so everything below is a guess: the numbers are those of the country, or of everyone.',
  cut: 'a broken bar is longer than there is room for',
  stranger: 'An unknown network',
  nextPick: 'Next pick',
  score: 'Score',
  scoreFactors: ({ time, reachFactor, reach, loadFactor }: ScoreFactors) =>
    `${time} × ${reachFactor} (reached by ${reach}) × ${loadFactor} (load)`,
  factors: { time: 'time to answer', reach: 'added by those who do not reach it', load: 'added by its load' },
  reason: 'Why',
  isKept: 'Visitors who entered it last keep it.',
};

type WhyTexts = typeof en;

const zhCN: WhyTexts = {
  reasons: {
    maintenance: '维护中：结束之前不分配给任何访客。',
    countries: '其规则（countries）不允许分配给此国家或地区的访客。',
    networks: '其规则（networks）不允许分配给此网络的访客。',
    'by-address': '其规则（networks）限定了地址段：仅分配给其中的访客。',
    drain: '排空中：不再分配给新访客。',
    down: '服务器自身的探测认定其中断：恢复应答之前不分配给任何访客。',
    'reached-though-down': '服务器自身的探测认定其中断，但最近两分钟内有访客连通，因此仍会分配。',
    'all-down': '所有线路均已中断，也没有访客连通：因已无线路可用，仍会分配。',
    uniform: '智能调度已关闭（lines.steering 为 "uniform"）：仅按权重随机抽取。',
    all: '可分配的线路不超过四条，因此每位访客都会得到全部线路。',
    best: '评分在此网络中位列前三。',
    turns: '与此网络中最好的线路相差无几：与它们轮流分配。',
    slower: '在此网络中偏慢：偶尔分配，以便及时发现它变快。',
    'less-reached': '在此网络中连通的访客偏少：偶尔分配，以便及时发现好转。',
    loaded: '目前承担的访客超过其应有份额：暂缓分配，待其他线路跟上。',
  },
  whyNote:
    '线路的评分等于其延迟，再因未连通的访客和负载而加长，越小越好。最小的三条会分配给访客（带少许随机），另从其余线路中抽取一条。延迟和连通率是根据此网络、其国家或地区以及全部访客的尝试估计的；“故障分布”中的图只含此网络自己的尝试。',
  best: ['评分在此网络中位列第一。', '评分在此网络中位列第二。', '评分在此网络中位列第三。'],
  rank: '名次',
  guess: '估计',
  guessNote: '此网络中还没有访客尝试过：数值取自所在国家或地区，或全部访客',
  allGuesses: '此网络还没有任何数据，以下均为估计：数值取自所在国家或地区，或全部访客。',
  cut: '带缺口的条形超出了可显示的长度',
  stranger: '从未见过的网络',
  nextPick: '下次选中',
  score: '评分',
  scoreFactors: ({ time, reachFactor, reach, loadFactor }) =>
    `${time} × ${reachFactor}（连通率 ${reach}）× ${loadFactor}（负载）`,
  factors: { time: '应答延迟', reach: '因未连通而加长', load: '因负载而加长' },
  reason: '原因',
  isKept: '上次进入此线路的访客继续使用它。',
};

export const useWhyTexts = createTextsHook<WhyTexts>({ en, 'zh-CN': zhCN });

/** The factors of a score as texts: time, reach factor with the reach, load factor. */
type ScoreFactors = Readonly<Record<'time' | 'reachFactor' | 'reach' | 'loadFactor', string>>;
