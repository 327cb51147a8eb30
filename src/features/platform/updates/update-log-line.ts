import { PROBLEM_TEXTS, STATE_TEXTS, STEP_TEXTS } from './updates-texts.ts'

type Text = { zh: string; en: string }

const WORDS: Readonly<Record<string, Text>> = { ...PROBLEM_TEXTS, ...STATE_TEXTS, ...STEP_TEXTS }

/**
 * A line of an update's log (server/platform/updates/update-machine.ts) in a language: its first word is a step, a state or a problem, after
 * a state there may be a problem. What follows, such as a file or an error of the system, stays as it was written.
 */
export function updateLogLine(line: string, language: 'zh' | 'en'): string {
  const [, word = '', , rest = ''] = /^([a-z_]+)(: ?)?(.*)$/s.exec(line) ?? []
  const known = Object.hasOwn(WORDS, word) && WORDS[word]
  if (!known || (rest !== '' && !line.startsWith(`${word}:`))) return line
  const [problem = '', ...detail] = rest.split(' ')
  const cause = Object.hasOwn(STATE_TEXTS, word) && Object.hasOwn(PROBLEM_TEXTS, problem) && WORDS[problem]
  const more = cause ? [cause[language], ...detail].join(' ').trim() : rest
  const colon = language === 'zh' ? '：' : ': '
  return more === '' ? known[language] : `${known[language]}${colon}${more}`
}
