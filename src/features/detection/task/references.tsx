import { Link } from 'react-router-dom'
import type { ItemLine } from '#contracts/http/detection/result.ts'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { reportTexts } from './report-texts.ts'

type Kind = keyof ItemLine['references']
const ORDER = ['cwe', 'masvs', 'maswe', 'mastg', 'cve', 'gbt'] as const satisfies readonly Kind[]

/** The address of a reference's published text; standards on paper have none. */
function referenceHref(kind: Kind, id: string): string | null {
  const number = /^CWE-(\d+)$/.exec(id)?.[1]
  if (kind === 'cwe' && number) return `https://cwe.mitre.org/data/definitions/${number}.html`
  if (kind === 'masvs' && /^MASVS-[A-Z]+-\d+$/.test(id)) return `https://mas.owasp.org/MASVS/controls/${id}/`
  if (kind === 'mastg' && /^MASTG-TEST-\d+$/.test(id)) return `https://mas.owasp.org/MASTG/tests/${id}/`
  return null
}

/** What the rule rests on. A link opens the publisher's page in its own tab; entries of the vulnerability library open there. */
export function References({ references }: { references: ItemLine['references'] }) {
  const t = useTexts(reportTexts)
  const all = ORDER.flatMap((kind) => references[kind].map((id) => ({ kind, id })))
  if (all.length === 0) return null
  return (
    <Fact name={t('references')}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {all.map(({ kind, id }) => {
          const href = referenceHref(kind, id)
          return (
            <li key={`${kind} ${id}`}>
              {kind === 'cve' && PAGES.vulnerabilities.built ? (
                <Link
                  to={`${PAGES.vulnerabilities.path}?find=${encodeURIComponent(id)}`}
                  className="text-brand-text hover:underline"
                >
                  {id}
                </Link>
              ) : href ? (
                <a href={href} target="_blank" rel="noreferrer noopener" className="text-brand-text hover:underline">
                  {id}
                </a>
              ) : (
                id
              )}
            </li>
          )
        })}
      </ul>
    </Fact>
  )
}
