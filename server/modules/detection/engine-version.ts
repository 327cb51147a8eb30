import { CATALOGUE } from './catalogue.ts'

/** Grows whenever the engines say something else of the same package: then the same question is a new task. */
const ENGINE = 1

/** Of engine and rules, own ones by their digest. */
export function engineVersion(ownRules: string): string {
  return [ENGINE, CATALOGUE.version, ...(ownRules === '' ? [] : [`own ${ownRules}`])].join(', ')
}
