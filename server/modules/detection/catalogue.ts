import type { FindingLevel } from '#contracts/detection/kinds.ts'
import androidPack from '#engines/detect/data/android-items.json' with { type: 'json' }
import iosPack from '#engines/detect/data/ios-items.json' with { type: 'json' }

const packs = [
  { platform: 'android' as const, pack: androidPack },
  { platform: 'ios' as const, pack: iosPack },
]

/** Every item that a rule pack has, as lists and reports name it. */
export const CATALOGUE = {
  version: packs.map(({ pack }) => `${pack.pack} ${pack.version}`).join(', '),
  items: packs.flatMap(({ platform, pack }) =>
    pack.items.map(({ mustNotTrigger, signals: _, level, confidence, ...item }) => ({
      ...item,
      platform,
      level: level as FindingLevel,
      confidence: confidence as 'high' | 'medium' | 'low',
      must_not_trigger: mustNotTrigger,
    })),
  ),
}

const byId = new Map(CATALOGUE.items.map((item) => [item.id, item]))

/** Both names of an item; its id where no pack knows it: an own rule, or one of an older pack. */
export function itemName(id: string): { zh: string; en: string } {
  return byId.get(id)?.name ?? { zh: id, en: id }
}
