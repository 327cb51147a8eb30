import { CATALOGUE } from './catalogue.ts'

/** Grows whenever the engines say something else of the same package: then the same question is a new task. */
const ENGINE = 5

/** Of engine and rules, and of what else is asked by its digest. */
export function engineVersion(extras: string): string {
  return [ENGINE, CATALOGUE.version, ...(extras === '' ? [] : [extras])].join(', ')
}
