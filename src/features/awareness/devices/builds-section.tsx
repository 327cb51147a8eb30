import { Check, X } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import type { DeviceBuild } from '#contracts/http/devices.ts'
import type { PiratedCertificate } from '#contracts/http/monitoring/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { CONTRADICTIONS, type Contradiction } from '#domain/baseline.ts'
import { PiratedCopyLink } from '#src/shared/devices/pirated-copy-link.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deviceTexts } from './device-texts.ts'

/** Versions and channels that ran on the device, with what their events reported about the build; what differs from the baseline is bold. */
export function BuildsSection({
  builds,
  pirated,
  count,
  state,
}: {
  builds: readonly DeviceBuild[]
  pirated: readonly PiratedCertificate[]
  count: number
  state: QueryState
}) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const anyDiffers = builds.some(({ contradictions }) => contradictions && contradictions.length > 0)
  return (
    <Section
      plain
      title={t('builds')}
      note={count > builds.length ? t('listed', { shown: builds.length, count }) : t('buildsNote', { count })}
      actions={
        anyDiffers && (
          <button
            type="button"
            className="text-12 text-brand-text hover:underline"
            onClick={() => void navigate(`${PAGES.abnormal_returns.path}?${carryQuery(state.query)}`)}
          >
            {t('openAbnormal')}
          </button>
        )
      }
    >
      <ul className="px-5 pb-3">
        {builds.map((build) => {
          const differs = build.contradictions
          const copies = pirated.filter(
            ({ appid, certificate }) => appid === build.appid && build.signers.includes(certificate),
          )
          return (
            <li key={`${build.appid} ${build.version} ${build.channel}`} className="border-b py-2 last:border-b-0">
              <div className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-semibold">
                  {nameOf('app', build.appid)} {build.version}
                </span>
                <span className="text-12 text-muted">
                  <Num value={build.events} />, <RelativeTime at={build.last_at} />
                </span>
                <span className="ml-auto text-12">
                  {differs === null ? (
                    <span className="text-muted">{t('noBaseline')}</span>
                  ) : differs.length === 0 ? (
                    <span className="inline-flex items-center gap-1 text-good-text">
                      <Icon of={Check} size={14} />
                      {t('matches')}
                    </span>
                  ) : (
                    <span className="inline-flex items-center gap-1 text-bad-text">
                      <Icon of={X} size={14} />
                      {t('contradicts', {
                        kinds: differs
                          .map((kind) => CONTRADICTIONS[kind][language])
                          .join(language === 'zh' ? '、' : ', '),
                      })}
                    </span>
                  )}
                </span>
              </div>
              <dl className="mt-1 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-12">
                <ReportedValues word={t('channel')} values={[build.channel]} kind="channel" differs={differs} />
                <ReportedValues word={t('package')} values={build.packages} kind="package" differs={differs} />
                <ReportedValues word={t('signer')} values={build.signers} kind="signer" differs={differs} />
                <ReportedValues word={t('hash')} values={build.hashes} kind="hash" differs={differs} />
              </dl>
              {copies.map((copy) => (
                <p key={copy.copy} className="mt-1 flex min-w-0 text-12">
                  <PiratedCopyLink of={copy} />
                </p>
              ))}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function ReportedValues({
  word,
  values,
  kind,
  differs,
}: {
  word: string
  values: readonly string[]
  kind: Contradiction
  differs: readonly Contradiction[] | null
}) {
  const reported = values.filter((value) => value !== '')
  if (reported.length === 0) return null
  const isBold = differs?.includes(kind) ?? false
  return (
    <>
      <dt className="text-muted">{word}</dt>
      <dd className={`min-w-0 font-mono ${isBold ? 'font-bold text-text' : 'text-muted'}`}>
        {reported.map((value) => (
          <span key={value} className="text-clip-line block" title={value}>
            {shortHex(value)}
          </span>
        ))}
      </dd>
    </>
  )
}

/** Long hex texts by their ends; a name before `=` stays. */
function shortHex(value: string): string {
  return value.replace(/[0-9a-f]{24,}/g, (hex) => `${hex.slice(0, 8)}…${hex.slice(-8)}`)
}
