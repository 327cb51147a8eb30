import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { Query } from '#domain/query.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { exceptionTexts } from './exception-texts.ts'

/** The devices with most events of the group; each leads to its page, the whole list to all of them. */
export function AffectedCard({
  part,
  query,
  narrowed,
}: {
  part: PartState<'entities'>
  query: Query
  narrowed: Query
}) {
  const t = useTexts(exceptionTexts)
  const answer = part.kind === 'ready' ? part.answer : null
  return (
    <Section
      plain
      title={t('affected')}
      state={part.kind === 'loading' ? 'loading' : 'ready'}
      actions={
        answer && (
          <Link
            to={`${PAGES.exception_devices.path}?${carryQuery(narrowed)}`}
            className="text-12 text-brand-text hover:underline"
          >
            {t('allDevices', { count: answer.total })}
          </Link>
        )
      }
    >
      <table className="mb-3 w-full text-13">
        <tbody>
          {answer?.rows.map((row) => (
            <tr key={row.key} className="h-7 hover:bg-hover">
              <td className="pl-5">
                <Link
                  to={`${PAGES.device_activity.path.replace(':id', row.key)}?${carryQuery(query)}`}
                  className="text-brand-text hover:underline"
                  title={row.key}
                >
                  <code className="text-12">{shortHash('device', row.key)}</code>
                </Link>
              </td>
              <td className="text-clip-line">{row.model || '–'}</td>
              <td className="text-right">
                <Num value={row.events} />
              </td>
              <td className="pr-5 text-right text-12 text-muted">
                <RelativeTime at={row.lastAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
