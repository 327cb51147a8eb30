/** What a gate says of a version: the same words on screens, in reports, sheets and on the command line. */
export const GATE_WORDS = {
  pass: { zh: '可发布', en: 'Can be released' },
  fail: { zh: '不可发布', en: 'Must not be released' },
  none: { zh: '未设门禁', en: 'No gate' },
} as const

/** A finding or item that somebody decided not to count. */
export const SUPPRESSED_WORD = { zh: '已忽略', en: 'Suppressed' } as const
