import type { SpeedText } from '../../../engine/board/describe-speed.ts';
import type { Texts } from './texts.ts';

type SpeedTexts = Pick<Texts, 'testing' | 'aboveFiveSeconds' | 'aboveTwentySeconds'>;

/** A row's speed in words. */
export function speedInWords(speed: SpeedText, texts: SpeedTexts): string {
  switch (speed.key) {
    case 'measured':
    case 'estimate':
      return `${speed.ms}ms`;
    case 'testing':
    case 'aboveFiveSeconds':
    case 'aboveTwentySeconds':
      return texts[speed.key];
  }
}
