import type { Text } from '#contracts/detection/scan-result.ts'
import { type Gate, GateSchema, type StrategyRules } from '#contracts/http/detection/tasks.ts'
import { CATALOGUE } from './catalogue.ts'

type BuiltIn = { id: string; name: Text; note: Text; rules: StrategyRules }

const gate = (more: Partial<Gate>): Gate => ({ ...GateSchema.parse({}), ...more })
const max = (high: number | null, middle: number | null = null, low: number | null = null) => ({ high, middle, low })
/** Items that need the archive, the manifest and the signature alone. */
const SURFACE = new Set(['manifest', 'component', 'signature'])

/** Strategies that are there from the start; they never change, so that results of the same one can be compared. */
export const BUILT_IN_STRATEGIES: readonly BuiltIn[] = [
  {
    id: 'full',
    name: { zh: '全面检测', en: 'Everything' },
    note: { zh: '全部检测项；没有高危项即通过', en: 'All items; passes without failed high items' },
    rules: { items: null, levels: {}, gate: gate({ max: max(0) }) },
  },
  {
    id: 'release',
    name: { zh: '发布门禁', en: 'Release gate' },
    note: {
      zh: '全部检测项；只看自有代码：没有高危项、中危项不多于 5、评分不低于 70',
      en: 'All items; own code alone: no high items, at most 5 middle ones, a score of 70 or more',
    },
    rules: { items: null, levels: {}, gate: gate({ max: max(0, 5), min_score: 70, own_only: true }) },
  },
  {
    id: 'surface',
    name: { zh: '清单与签名', en: 'Manifest and signature' },
    note: {
      zh: '只看清单、组件与签名；没有高危项即通过',
      en: 'Manifest, components and signature alone; passes without failed high items',
    },
    rules: {
      items: CATALOGUE.items.filter((one) => SURFACE.has(one.category)).map((one) => one.id),
      levels: {},
      gate: gate({ max: max(0) }),
    },
  },
]
