/** SPDX identifiers of licences as build files name them; `name` where the list has none. */
export type License = { readonly id: string } | { readonly name: string }

const KNOWN: readonly (readonly [id: string, pattern: RegExp])[] = [
  ['Apache-2.0', /apache.{0,40}2(?:\.0)?\b|LICENSE-2\.0/i],
  ['MIT', /^(?:the )?MIT(?: license)?$|opensource\.org\/licenses\/mit/i],
  ['BSD-2-Clause', /BSD.{0,20}2[- ]clause|simplified BSD/i],
  ['BSD-3-Clause', /BSD.{0,20}3[- ]clause|(?:new|revised|modified) BSD|go-bsd/i],
  ['EPL-2.0', /eclipse public license.{0,20}2\.0/i],
  ['EPL-1.0', /eclipse public license.{0,20}1\.0/i],
  ['MPL-2.0', /mozilla public license.{0,20}2\.0|MPL.{0,4}2\.0/i],
  ['LGPL-2.1-only', /(?:lesser general public license|LGPL).{0,20}2\.1/i],
  ['LGPL-3.0-only', /(?:lesser general public license|LGPL).{0,20}3/i],
  ['GPL-3.0-only', /^(?:GNU )?(?:general public license|GPL).{0,20}3/i],
  ['CC0-1.0', /CC0|creative commons zero/i],
]
const MOST = 10

/** Licences that a Maven `pom.xml` declares. A text that is no POM has none. */
export function licensesOfPom(pom: string): License[] {
  const found = new Map<string, License>()
  for (const [, body = ''] of pom.matchAll(/<license>([\s\S]{0,2000}?)<\/license>/g)) {
    const name = /<name>\s*([^<]{1,200}?)\s*<\/name>/.exec(body)?.[1] ?? ''
    const url = /<url>\s*([^<]{1,300}?)\s*<\/url>/.exec(body)?.[1] ?? ''
    const id = KNOWN.find(([, pattern]) => pattern.test(name) || pattern.test(url))?.[0]
    const license = id ? { id } : name ? { name } : undefined
    if (license && found.size < MOST) found.set(JSON.stringify(license), license)
  }
  return [...found.values()]
}
