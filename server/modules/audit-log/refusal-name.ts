import { ERRORS, type ErrorKey } from '#contracts/errors.ts'

/** The words of a refusal whose parameters are not kept; null for `ok` and for a key that is no longer known. */
export function refusalName(result: string): { zh: string; en: string } | null {
  if (!Object.hasOwn(ERRORS, result)) return null
  const { zh, en } = ERRORS[result as ErrorKey]
  return { zh: withoutParameters(zh), en: withoutParameters(en) }
}

/** Up to the clause that has the first parameter; where that is the first clause, an ellipsis in its place. */
function withoutParameters(text: string): string {
  const first = text.indexOf('{')
  if (first < 0) return text
  const clause = /^(.+)[：:，,、]/.exec(text.slice(0, first))?.[1]
  return clause ?? text.replace(/\{\w+\}/g, '…')
}
