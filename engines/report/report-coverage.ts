import type { Block } from './document.ts'
import type { ReportContext } from './report-context.ts'
import { nothing, section } from './report-facts.ts'
import { OWNER_WORDS } from './report-items.ts'
import { locationText } from './report-location.ts'

/** How much was looked at, and what was not. */
export function coverageBlocks({ result, words, textOf }: ReportContext): Block[] {
  const { classes, classesRead, methods, methodsRead, entries, entriesRead, obfuscated, owners } = result.coverage
  const share = (read: number, all: number) => words('read_of', { read, all })
  return [
    { kind: 'heading', level: 1, text: words('coverage') },
    {
      kind: 'facts',
      rows: [
        { label: words('classes'), text: share(classesRead, classes) },
        { label: words('methods'), text: share(methodsRead, methods) },
        { label: words('entries'), text: share(entriesRead, entries) },
        { label: words('obfuscated'), text: `${Math.round(obfuscated * 100)} %` },
        ...(owners
          ? [
              {
                label: words('class_owners'),
                text: (['own', 'sdk', 'unknown'] as const)
                  .map((kind) => `${words(OWNER_WORDS[kind])} ${owners[kind]}`)
                  .join(' · '),
              },
            ]
          : []),
      ],
    },
    { kind: 'heading', level: 2, text: words('gaps') },
    ...(result.notAssessed.length === 0 ? [nothing(words('no_gaps'))] : []),
    ...result.notAssessed.map((note): Block => ({ kind: 'text', text: textOf(note.text) })),
  ]
}

export function domainBlocks({ result, words }: ReportContext): Block[] {
  return section(
    words('domains'),
    result.domains,
    (shown) => ({
      kind: 'table',
      columns: [
        { title: words('host'), share: 3 },
        { title: words('cleartext'), share: 1 },
        { title: words('place'), share: 5 },
      ],
      rows: shown.map((one) => [
        one.host,
        one.cleartext ? { text: words('yes'), tone: 'strong' } : words('no'),
        locationText(one.place),
      ]),
    }),
    words,
  )
}

export function contentBlocks({ result, words }: ReportContext): Block[] {
  if (!result.kinds.includes('content')) return []
  return section(
    words('content'),
    result.content,
    (shown) => ({
      kind: 'table',
      columns: [
        { title: words('group'), share: 1.5 },
        { title: words('value'), share: 2.5 },
        { title: words('place'), share: 5 },
      ],
      rows: shown.map((one) => [one.group, one.value, locationText(one.place)]),
    }),
    words,
  )
}
