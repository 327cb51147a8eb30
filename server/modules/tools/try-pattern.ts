import type { PatternTrial } from '#contracts/http/tools.ts'
import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import type { PatternQuestion } from './tool-messages.ts'

/** Where an expression or one of the words is found in a text, by the matchers that detections use. `clock`: milliseconds, never back. */
export async function tryPattern(question: PatternQuestion, clock: () => number): Promise<PatternTrial> {
  if (question.kind === 'words') {
    const { WordMatcher } = await import('#engines/detect/content/word-matcher.ts')
    const begin = clock()
    const found = new WordMatcher([{ group: '', words: question.words }]).find(question.text)
    const matches = found
      .slice(0, TOOL_LIMITS.matches)
      .map(({ from, to, word, form }) => ({ from, to, groups: [], word, form }))
    return { error: null, matches, total: found.length, states: 0, milliseconds: clock() - begin }
  }
  const { linearPattern, PatternError } = await import('#engines/detect/own-rules/linear-pattern.ts')
  const begin = clock()
  try {
    const pattern = linearPattern(question.expression, question.ignore_case)
    const { matches, total } = pattern.find(question.text, TOOL_LIMITS.matches)
    return {
      error: null,
      matches: matches.map(({ from, to, groups }) => ({ from, to, groups: [...groups], word: '', form: '' })),
      total,
      states: pattern.states,
      milliseconds: clock() - begin,
    }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const { position, message } = error
    const text = { zh: `表达式无法使用：${message}`, en: message }
    return { error: { position, text }, matches: [], total: 0, states: 0, milliseconds: clock() - begin }
  }
}
