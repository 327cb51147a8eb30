type Word = { readonly code: number; readonly zh: string; readonly en: string }

/** Severity, set by the server from the rule of the risk type. Ordered by code; 0 means 'no level'. */
export const LEVELS = {
  info: { code: 1, zh: '提示', en: 'Info' },
  low: { code: 2, zh: '低危', en: 'Low' },
  medium: { code: 3, zh: '中危', en: 'Medium' },
  high: { code: 4, zh: '高危', en: 'High' },
  critical: { code: 5, zh: '严重', en: 'Critical' },
} as const satisfies Record<string, Word>
export type Level = keyof typeof LEVELS
/** Most severe first: the order of legends, stacks (critical at the base) and lists. */
export const LEVELS_BY_SEVERITY = ['critical', 'high', 'medium', 'low', 'info'] as const satisfies readonly Level[]
