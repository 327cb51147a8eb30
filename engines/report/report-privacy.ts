import { UNKNOWN_OWNER } from '../detect/result/scan-result.ts'
import type { Block } from './document.ts'
import type { ReportContext } from './report-context.ts'
import { nothing } from './report-facts.ts'
import { locationText } from './report-location.ts'

const CHAINS = 10

/** The checks of the rules on personal information, with the calls that collect before consent. */
export function privacyBlocks({ result, words, textOf, reader }: ReportContext): Block[] {
  if (!result.kinds.includes('privacy'))
    return [{ kind: 'heading', level: 1, text: words('privacy') }, nothing(words('not_detected'))]
  const shown = result.privacy.filter(({ verdict }) => reader === 'regulator' || verdict !== 'not_applicable')
  const chains = result.privacy.flatMap((check) => check.chains.map((chain) => ({ check, chain })))
  return [
    { kind: 'heading', level: 1, text: words('privacy') },
    {
      kind: 'table',
      columns: [
        { title: words('clause'), share: 2.6 },
        { title: words('check'), share: 3 },
        { title: words('verdict'), share: 1.2 },
        { title: words('finding'), share: 4 },
      ],
      rows: shown.map((one) => [
        `${one.source}\u00a0${one.clause}`.trim(),
        textOf(one.name),
        one.verdict === 'fail' ? { text: words('fail'), tone: one.level } : words(one.verdict),
        textOf(one.reason),
      ]),
    },
    ...(chains.length > 0 ? [{ kind: 'heading', level: 2, text: words('chains') } as const] : []),
    ...chains.slice(0, CHAINS).map(
      ({ check, chain }): Block => ({
        kind: 'evidence',
        location: `${chain.info}${chain.owner ? ` · ${chain.owner === UNKNOWN_OWNER ? words('unknown_owner') : chain.owner}` : ''}`,
        note: textOf(check.name),
        lines: chain.steps.map(locationText),
      }),
    ),
    ...(chains.length > CHAINS ? [nothing(words('cut_list', { shown: CHAINS, all: chains.length }))] : []),
  ]
}
