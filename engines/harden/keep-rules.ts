import { namePattern } from './name-pattern.ts'

export interface KeepRules {
  /** Whether no option may change the class, by its name with points. */
  keeps(className: string): boolean
  /** Lines that are not understood, counted from 1. */
  readonly unread: readonly number[]
}

const KEEP =
  /^-(?:keep|keepclassmembers|keepclasseswithmembers|keepnames|keepclassmembernames|keepclasseswithmembernames)(?:,\w+)*\s+(?:(?:public|final|abstract|@interface|!?interface|!?enum)\s+)*(?:class\s+|interface\s+|enum\s+)?([\w.$*?]+)\s*(?:\{[^{}]*\})?$/

/**
 * A subset of ProGuard's rules: `-keep…` with the name of a class. Whatever members a rule names, the whole class is kept. Rules may go over
 * several lines; `#` begins a comment. Rules by annotation, superclass or another option are not understood and listed.
 */
export function readKeepRules(text: string): KeepRules {
  const patterns: RegExp[] = []
  const unread: number[] = []
  let rule = ''
  let begin = 0
  const finish = () => {
    const found = KEEP.exec(rule.replace(/\s+/g, ' ').trim())
    if (found) patterns.push(namePattern(found[1]!))
    else if (rule.trim()) unread.push(begin)
    rule = ''
  }
  text.split(/\r?\n/).forEach((line, i) => {
    const content = line.replace(/#.*/, '')
    if (/^\s*-/.test(content)) finish()
    if (!rule.trim()) begin = i + 1
    rule += `${content}\n`
  })
  finish()
  return { keeps: (className) => patterns.some((pattern) => pattern.test(className)), unread }
}
