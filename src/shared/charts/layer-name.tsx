import type { Level } from '#domain/vocabulary.ts'
import { LevelMark } from '../ui/level-mark.tsx'
import type { TokenLayer } from './time-option.ts'

/** A level by its mark, any other layer by its label: a version may be called 'high' too. */
export function LayerName({ layer: { key, label, token } }: { layer: TokenLayer }) {
  return token === `stack-${key}` ? <LevelMark level={key as Level} /> : label
}
