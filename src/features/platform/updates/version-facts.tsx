import type { UpdatesAnswer } from '#contracts/http/updates.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { updatesTexts } from './updates-texts.ts'

/** The version that runs, and beside it the one of the uploaded package. */
export function VersionFacts({ data }: { data: UpdatesAnswer }) {
  const t = useTexts(updatesTexts)
  const { current, uploaded } = data
  const next = uploaded?.facts
  const rows: [string, string, string | null | undefined][] = [
    [t('version'), current.version, next?.version],
    [
      t('tables'),
      t('tablesValue', { count: current.migrations }),
      next && `${t('tablesValue', { count: next.migrations })} (+${uploaded?.migrations.length ?? 0})`,
    ],
    [t('eventsFormat'), String(current.events_format), next && String(next.events_format)],
    [t('postgres'), String(current.postgres), next && String(next.postgres)],
  ]
  if (next) rows.push([t('size'), '', formatBytes(next.bytes)])
  return (
    <Section plain title={t('versions')} className="border-b">
      <table className="mx-5 mb-4 w-[calc(100%-40px)] border-collapse text-left" data-testid="update-facts">
        <thead>
          <tr className="border-b text-muted">
            <td />
            <th className="py-1.5 pr-3 font-normal">{t('now')}</th>
            {next && <th className="py-1.5 font-normal">{t('after')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, now, after]) => (
            <tr key={name} className="border-b last:border-b-0">
              <th className="py-1.5 pr-3 font-normal text-muted">{name}</th>
              <td className="py-1.5 pr-3 tabular-nums">{now}</td>
              {next && <td className="py-1.5 font-semibold tabular-nums">{after}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {uploaded?.signer && (
        <p className="px-5 pb-4 text-12 text-muted [overflow-wrap:anywhere]">
          {t('signer')} SM2 {uploaded.signer}
        </p>
      )}
    </Section>
  )
}
