import { Gavel } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { takedowns } from '#contracts/http/monitoring/takedowns.ts'
import {
  COPY_VERDICTS,
  type CopyEvidenceList,
  type CopyFacts,
  copyDetail,
  DEVICE_DAYS,
  monitorDevices,
  PIRATED_VERDICTS,
} from '#contracts/http/monitoring/tasks.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { placeText, useNameOf } from '#src/shared/query/value-names.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { abnormalPath } from '../parts/abnormal-path.ts'
import { VerdictTag } from '../parts/verdict-tag.tsx'
import { CopyTakedowns } from './copy-takedowns.tsx'
import { evidenceTexts } from './evidence-texts.ts'
import { JudgeDialog } from './judge-dialog.tsx'

type Detail = ResponseOf<typeof copyDetail>
type EvidenceText = ReturnType<typeof useTexts<keyof typeof evidenceTexts.entries & string>>
/** Places that are listed, those with most devices. */
const PLACES = 6
const LISTS = ['classes', 'files', 'permissions', 'components', 'natives', 'libraries'] as const
/** As engines/detect says it of a packer that it does not know. */
const UNKNOWN_PACKER = 'an unknown packer'
type ListName = (typeof LISTS)[number]

/** One copy beside our package, in a wide sheet: facts, how the confidence adds up, differences down to the class, where it is offered. */
export function CopyEvidence({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(evidenceTexts)
  const answer = useEndpoint(copyDetail, { query: { id } })
  const mayJudge = useMay('monitor.report')
  const [isJudging, setJudging] = useState(false)
  const { data, error } = answer
  return (
    <Drawer
      isOpen
      onClose={onClose}
      takeFocus
      width="min(960px, calc(100vw - 208px))"
      title={
        data ? (
          <span className="flex min-w-0 items-center gap-2">
            <VerdictTag verdict={data.data.verdict} />
            <span className="text-clip-line min-w-0">
              {data.data.label || data.data.package} {data.data.version}
            </span>
          </span>
        ) : (
          t('theirs')
        )
      }
      actions={
        data &&
        mayJudge && (
          <Button size="small" icon={Gavel} onPress={() => setJudging(true)}>
            {t('judge')}
          </Button>
        )
      }
    >
      {data ? (
        <Evidence detail={data} t={t} />
      ) : error?.key === 'data.missing' ? (
        <EmptyState kind="missing" title={t('missing')} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={12} height="24px" className="p-5" />
      )}
      {isJudging && data && <JudgeDialog copy={data.data} onClose={() => setJudging(false)} />}
    </Drawer>
  )
}

function Evidence({ detail, t }: { detail: Detail; t: EvidenceText }) {
  const language = useLanguage()
  const { data, reason, notes } = detail
  return (
    <div className="flex flex-col divide-y">
      {(data.is_manual || notes.length > 0) && (
        <ul className="flex flex-col gap-1 px-5 py-3 text-12 text-muted">
          {data.is_manual && <li>{t('manual', { reason, verdict: COPY_VERDICTS[data.judged][language] })}</li>}
          {notes.map((note) => (
            <li key={note}>{t(`note_${note}` as Parameters<EvidenceText>[0])}</li>
          ))}
        </ul>
      )}
      <Facts detail={detail} t={t} />
      <div className="grid grid-cols-2 divide-x max-md:grid-cols-1 max-md:divide-x-0 max-md:divide-y">
        <Parts detail={detail} t={t} />
        <div className="flex min-w-0 flex-col divide-y">
          <Listings detail={detail} t={t} />
          <CopyTakedowns copy={detail.data} />
          <Devices detail={detail} t={t} />
        </div>
      </div>
      <Differences detail={detail} t={t} />
    </div>
  )
}

function Facts({ detail: { reference, copy, data }, t }: { detail: Detail; t: EvidenceText }) {
  const isPirated = PIRATED_VERDICTS.includes(data.judged)
  const stateOf = ({ signature }: CopyFacts) => t(signature === 'unknown' ? 'unknownState' : (signature as 'verified'))
  const versionOf = ({ version, version_code }: CopyFacts) =>
    `${version || '—'}${version_code ? ` (${version_code})` : ''}`
  const certificateOf = ({ certificates, subject }: CopyFacts) =>
    certificates.length ? `${certificates[0]!.slice(0, 8)}…${certificates[0]!.slice(-4)} ${subject}` : t('none')
  const packerOf = ({ packer }: CopyFacts) => (packer === UNKNOWN_PACKER ? t('unknownPacker') : packer || t('none'))
  const sameCertificate =
    copy.certificates.some((one) => reference.certificates.includes(one)) ||
    (copy.certificates.length === 0 && reference.certificates.length === 0)
  const rows: { name: string; ours: string; theirs: string; says?: string; bad?: boolean; mono?: boolean }[] = [
    { name: t('label'), ours: reference.label || '—', theirs: copy.label || '—' },
    { name: t('package'), ours: reference.package, theirs: copy.package, mono: true },
    { name: t('version'), ours: versionOf(reference), theirs: versionOf(copy) },
    { name: t('size'), ours: formatBytes(reference.size), theirs: formatBytes(copy.size) },
    {
      name: t('certificate'),
      ours: certificateOf(reference),
      theirs: certificateOf(copy),
      says: sameCertificate ? t('same') : isPirated ? t('notOurs') : t('differs'),
      bad: isPirated && !sameCertificate,
      mono: true,
    },
    {
      name: t('signature'),
      ours: stateOf(reference),
      theirs: stateOf(copy),
      bad: isPirated && copy.signature !== 'verified',
    },
    { name: t('packer'), ours: packerOf(reference), theirs: packerOf(copy) },
    { name: t('classes'), ours: String(reference.classes), theirs: String(copy.classes) },
    { name: t('files'), ours: String(reference.files), theirs: String(copy.files) },
  ]
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[560px] table-fixed text-left max-sm:min-w-0">
        <thead>
          <tr className="border-b text-12 text-muted">
            <th className="h-8 w-24 pl-5 font-normal">{t('compare')}</th>
            <th className="font-normal">{t('ours')}</th>
            <th className="font-normal">{t('theirs')}</th>
            <th className="w-36 pr-5 font-normal max-sm:hidden">{t('difference')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, ours, theirs, says, bad = false, mono = false }) => {
            const isSame = ours === theirs
            const verdict = says ?? (isSame ? t('same') : t('differs'))
            const look = bad ? 'font-semibold text-bad-text' : isSame ? 'text-muted' : 'font-semibold'
            return (
              <tr key={name} className={`border-b last:border-b-0 ${bad ? 'bg-bad-soft' : ''}`}>
                <th className="h-8 pl-5 font-normal text-muted">{name}</th>
                <td className={`py-1 pr-3 [overflow-wrap:anywhere] ${mono ? 'font-mono text-12' : ''}`}>{ours}</td>
                <td className={`py-1 pr-3 [overflow-wrap:anywhere] ${mono ? 'font-mono text-12' : ''}`}>
                  {theirs}
                  {!isSame && <span className={`block font-sans text-12 sm:hidden ${look}`}>{verdict}</span>}
                </td>
                <td className={`pr-5 max-sm:hidden ${look}`}>{verdict}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Parts({ detail: { parts, data }, t }: { detail: Detail; t: EvidenceText }) {
  const points = parts.reduce((sum, one) => sum + one.points, 0)
  const most = parts.reduce((sum, one) => sum + one.most, 0)
  return (
    <Section plain title={t('why')} note={t('whyNote')} bodyClassName="px-5 pb-3">
      <ul className="flex flex-col">
        {parts.map((one) => (
          <li key={one.part} className="flex min-h-8 items-center gap-3 border-b">
            <span className="min-w-0 flex-1">{t(`part_${one.part}` as Parameters<EvidenceText>[0])}</span>
            <span className="text-12 text-muted">
              {one.likeness === null ? t('notCompared') : t('alike', { share: formatPercent(one.likeness, 0) })}
            </span>
            <span className="w-20 text-right tabular-nums">
              {one.likeness === null ? '—' : t('points', { points: one.points, most: one.most })}
            </span>
          </li>
        ))}
        <li className="flex min-h-8 items-center gap-3 font-semibold">
          <span className="flex-1">{t('sum')}</span>
          <span className="tabular-nums">{t('points', { points: Math.round(10 * points) / 10, most })}</span>
          <span className="w-20 text-right tabular-nums">{data.confidence}%</span>
        </li>
      </ul>
    </Section>
  )
}

function Listings({ detail: { data, listings }, t }: { detail: Detail; t: EvidenceText }) {
  const isPirated = PIRATED_VERDICTS.includes(data.verdict)
  return (
    <Section
      plain
      title={t('where')}
      note={String(listings.length)}
      bodyClassName="px-5 pb-3"
      actions={
        isPirated && (
          <ReportMenu
            of="takedown"
            size="small"
            label={t('takedown')}
            why={t('notFound')}
            refreshes={[takedowns]}
            subject={listings.length > 0 ? { of: 'takedown', copy: data.id, market: '' } : null}
          />
        )
      }
    >
      <ul className="flex max-h-72 flex-col overflow-auto">
        {listings.map((one) => (
          <li
            key={`${one.market} ${one.page} ${one.version}`}
            className="flex items-center gap-3 border-b py-1.5 last:border-b-0"
          >
            <span className="min-w-0 flex-1">
              <span className="text-clip-line block" title={one.page}>
                {one.market_name}
              </span>
              <span className="text-clip-line block text-12 text-muted" title={one.page}>
                {[one.name, one.version, one.developer].filter(Boolean).join(', ')}
              </span>
            </span>
            <span className={`text-12 ${one.offer === 'offered' ? '' : 'text-muted'}`}>
              {one.offer === 'unknown' ? (
                <>
                  {t('lastSeen')} <RelativeTime at={one.last_seen} />
                </>
              ) : (
                t(one.offer)
              )}
            </span>
            <span className="w-16 text-right tabular-nums">
              {one.downloads === null ? '—' : <Num value={one.downloads} />}
            </span>
            {isPirated && (
              <ReportMenu
                of="takedown"
                look="icon"
                label={t('takedownOf', { market: one.market_name })}
                refreshes={[takedowns]}
                subject={{ of: 'takedown', copy: data.id, market: one.market }}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Devices that report the certificate of this copy, and where; each number leads to the returns. */
function Devices({ detail: { data }, t }: { detail: Detail; t: EvidenceText }) {
  const language = useLanguage()
  const nameOf = useNameOf()
  const mayOpen = useMay('events.read')
  const answer = useEndpoint(monitorDevices, { query: { id: data.task, copy: data.id } })
  const { data: found, error } = answer
  const certificates = found?.certificates ?? []
  const most = Math.max(1, ...(found?.places.map(({ devices }) => devices) ?? []))
  return (
    <Section
      plain
      title={t('devices')}
      note={t('devicesNote', { days: DEVICE_DAYS })}
      bodyClassName="px-5 pb-3"
      actions={
        found &&
        certificates.length > 0 && (
          <span className="flex gap-2 text-12" data-testid="copy-devices">
            {found.devices === 0 || !mayOpen || certificates.length > 1 ? (
              t('devicesCount', { count: found.devices })
            ) : (
              <Link className="text-brand-text hover:underline" to={abnormalPath(data.appid, certificates[0])}>
                {t('devicesCount', { count: found.devices })}
              </Link>
            )}
            {/* The list of returns is narrowed to one certificate. */}
            {found.devices > 0 &&
              mayOpen &&
              certificates.length > 1 &&
              certificates.map((one) => (
                <Link
                  key={one}
                  className="font-mono text-brand-text hover:underline"
                  to={abnormalPath(data.appid, one)}
                >
                  {one.slice(0, 8)}
                </Link>
              ))}
          </span>
        )
      }
    >
      {error && !found ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : !found ? (
        <Skeleton lines={2} height="20px" />
      ) : certificates.length === 0 ? (
        <p className="text-muted">{t('devicesNoRule')}</p>
      ) : found.places.length === 0 ? (
        <p className="text-muted">{t('devicesNone')}</p>
      ) : (
        <ul>
          {found.places.slice(0, PLACES).map(({ country, province, devices }) => (
            <li key={`${country} ${province}`} className="py-1">
              <span className="flex items-baseline gap-2 text-13">
                <span className="text-clip-line min-w-0 flex-1">
                  {placeText({ country, province, city: '' }, nameOf, language)}
                </span>
                <Num value={devices} />
              </span>
              <span aria-hidden className="mt-0.5 block h-1 bg-neutral">
                <span className="block h-full bg-brand" style={{ width: `${(devices / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const SIGNS = { added: '+', changed: '~', removed: '−', same: '=' } as const
const SIGN_COLOURS = { added: 'text-good-text', changed: '', removed: 'text-bad-text', same: 'text-muted' } as const

function Differences({ detail: { evidence }, t }: { detail: Detail; t: EvidenceText }) {
  const differing = ({ counts }: CopyEvidenceList) => counts.added + counts.changed + counts.removed
  const [name, setName] = useState<ListName>('classes')
  const list = evidence[name]
  const { counts } = list
  const rows = list.rows.filter(({ difference }) => difference !== 'same')
  return (
    <Section plain title={t('differences')} note={name === 'classes' ? t('differencesNote') : undefined}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pb-2">
        <span className="max-w-full overflow-x-auto">
          <SegmentedControl
            size="small"
            label={t('differences')}
            value={name}
            onChange={setName}
            items={LISTS.map((id) => ({ id, label: t(id), note: String(differing(evidence[id])) }))}
          />
        </span>
        <span className="text-12 text-muted">
          {[
            t('added', { count: counts.added }),
            t('changed', { count: counts.changed }),
            t('removed', { count: counts.removed }),
            t('unchanged', { count: counts.same }),
          ].join(' · ')}
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="px-5 pb-4 text-muted">{t('noDifference')}</p>
      ) : (
        <ul className="border-t font-mono text-12">
          {rows.map((row) => (
            <li key={`${row.difference} ${row.name}`} className="flex min-h-7 items-center gap-3 border-b px-5">
              <span aria-hidden className={`w-3 flex-none text-center font-bold ${SIGN_COLOURS[row.difference]}`}>
                {SIGNS[row.difference]}
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">{row.name}</span>
            </li>
          ))}
        </ul>
      )}
      {rows.length < differing(list) && (
        <p className="px-5 py-2 text-12 text-muted">{t('moreRows', { count: rows.length })}</p>
      )}
    </Section>
  )
}
