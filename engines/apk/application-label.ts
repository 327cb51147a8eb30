import type { ApkFacts } from './apk-facts.ts'

/** What the application is called; empty where nothing says so, or the label refers to a resource that is not there (`@0x7f010000`). */
export function applicationLabel(facts: ApkFacts | null | undefined): string {
  const label = facts?.label?.value ?? ''
  return /^[@?]0x/.test(label) ? '' : label
}
