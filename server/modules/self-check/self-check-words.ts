/** Answers of people and verdicts of the package, in exports and reports. */
export const SELF_CHECK_WORDS = {
  yes: { zh: '是', en: 'yes' },
  no: { zh: '否', en: 'no' },
  na: { zh: '不适用', en: 'not applicable' },
  fail: { zh: '不通过', en: 'fail' },
  pass: { zh: '通过', en: 'pass' },
  not_applicable: { zh: '不适用', en: 'not applicable' },
  not_assessed: { zh: '未评估', en: 'not assessed' },
  manual: { zh: '须人工', en: 'manual' },
} as const
