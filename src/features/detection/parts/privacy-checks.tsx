import { ArrowDown } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { VERDICTS, type Verdict } from '#contracts/detection/kinds.ts'
import { UNKNOWN_OWNER } from '#contracts/detection/scan-result.ts'
import { resultPrivacy } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import type { Address } from '../../../shared/table/use-address.ts'
import { detectionTexts } from './detection-texts.ts'
import { FindingLevelMark } from './finding-level.tsx'
import { LocationView } from './location-view.tsx'
import { PartTable, partQuery } from './part-table.tsx'
import { personalInfo } from './personal-info.ts'
import { useOwnerName } from './use-owner-name.ts'
import { VerdictMark } from './verdict-mark.tsx'

const texts = defineTexts('detection-privacy', {
  checks: { zh: '隐私检查项', en: 'Privacy checks' },
  check: { zh: '检查项', en: 'Check' },
  clause: { zh: '依据', en: 'Clause' },
  verdict: { zh: '结论', en: 'Verdict' },
  chains: { zh: '调用链', en: 'Call chains' },
  all: { zh: '全部', en: 'All' },
  why: { zh: '说明', en: 'Why' },
  chainsNote: {
    zh: '由进程入口到采集个人信息的调用，逐层列出。',
    en: 'From an entry of the process down to the call that collects, step by step.',
  },
  ofSdk: { zh: '由 {{owner}} 发起', en: 'By {{owner}}' },
  selfCheck: { zh: '去自检清单作答', en: 'Answer it in the self-check' },
})
type Check = ResponseOf<typeof resultPrivacy>['data'][number]
const ORDER = ['fail', 'manual', 'not_assessed', 'pass', 'not_applicable'] as const
/** Short names of the rules that the catalogue quotes; others are shown as they are written. */
const SOURCES: Readonly<Record<string, { zh: string; en: string }>> = {
  'CAC-2019-METHOD': { zh: '认定方法 2019', en: 'CAC method 2019' },
  'MIIT-164-2020': { zh: '工信部 164 号', en: 'MIIT 164 (2020)' },
  'MIIT-26-2023': { zh: '工信部 26 号', en: 'MIIT 26 (2023)' },
  'GBT-35273-2020': { zh: 'GB/T 35273', en: 'GB/T 35273' },
  'GBT-41391-2022': { zh: 'GB/T 41391', en: 'GB/T 41391' },
  'PIPL-2021': { zh: '个人信息保护法', en: 'PIPL' },
  'TAF-077': { zh: 'T/TAF 077', en: 'T/TAF 077' },
}

/** The checks of the privacy catalogue: what was concluded, by which clause, and the calls that show it. */
export function PrivacyChecks({ task, address }: { task: string; address: Address }) {
  const t = useTexts(texts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const show = ORDER.find((one) => one === address.params.get('show')) ?? ''
  const result = useEndpoint(
    resultPrivacy,
    { query: { ...partQuery(task, address.params), verdict: show } },
    { placeholderData: (before) => before },
  )
  const verdicts = result.data?.verdicts
  const columns = useMemo(
    (): Column<Check>[] => [
      {
        id: 'verdict',
        header: t('verdict'),
        width: '110px',
        cell: (row) => <VerdictMark verdict={row.verdict} />,
      },
      {
        id: 'name',
        header: t('check'),
        cell: (row) => (
          <span className="block py-1.5 whitespace-normal">
            {row.name[language]}
            <span className="block text-12/4 text-muted first-letter:uppercase">{row.reason[language]}</span>
          </span>
        ),
      },
      { id: 'level', header: '', width: '76px', wide: true, cell: (row) => <FindingLevelMark level={row.level} /> },
      {
        id: 'clause',
        header: t('clause'),
        width: '180px',
        wide: true,
        cell: (row) => (
          <span className="text-12 text-muted">
            {SOURCES[row.source]?.[language] ?? row.source} {row.clause}
          </span>
        ),
      },
      {
        id: 'chains',
        header: t('chains'),
        width: '72px',
        numeric: true,
        wide: true,
        cell: (row) => row.chains.length || '',
      },
    ],
    [t, language],
  )
  const wordOf = (verdict: Verdict | 'manual') => (verdict === 'manual' ? d('manual') : VERDICTS[verdict][language])
  return (
    <PartTable
      label={t('checks')}
      columns={columns}
      answer={result}
      rowKey={(row) => row.id}
      address={address}
      show={show}
      shows={[
        { id: '' as const, label: t('all') },
        ...ORDER.map((id) => ({ id, label: wordOf(id), note: verdicts?.[id] ?? 0 })),
      ]}
      titleOf={(row) => row.name[language]}
      detail={(row) => <Detail row={row} task={task} />}
    />
  )
}

function Detail({ row, task }: { row: Check; task: string }) {
  const t = useTexts(texts)
  const ownerName = useOwnerName(task)
  const language = useLanguage()
  const mayAnswer = useMay('asset.detect_privacy') && PAGES.self_check.built
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <VerdictMark verdict={row.verdict} />
        <FindingLevelMark level={row.level} />
        <span className="text-12 text-muted">
          {SOURCES[row.source]?.[language] ?? row.source} {row.clause}
        </span>
      </div>
      <p className="first-letter:uppercase">{row.reason[language]}</p>
      {row.verdict === 'manual' && mayAnswer && (
        <Link to={PAGES.self_check.path} className="text-brand-text hover:underline">
          {t('selfCheck')}
        </Link>
      )}
      {row.chains.length > 0 && (
        <>
          <h3 className="border-t pt-3 font-semibold">
            {t('chains')} <span className="text-12 font-normal text-muted">{t('chainsNote')}</span>
          </h3>
          {row.chains.map((chain, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: chains have an order and nothing else
            <section key={index} className="rounded border p-3">
              <h4 className="flex flex-wrap items-baseline justify-between gap-2 pb-1">
                <span className="font-semibold">{personalInfo(chain.info ? [chain.info] : [], language)}</span>
                <span className="text-12 text-muted">
                  {chain.owner && chain.owner !== UNKNOWN_OWNER
                    ? t('ofSdk', { owner: ownerName(chain.owner) })
                    : ownerName(chain.owner)}
                </span>
              </h4>
              <ol>
                {chain.steps.map((step, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: steps have an order and nothing else
                  <li key={at}>
                    {at > 0 && <Icon of={ArrowDown} size={12} className="my-0.5 text-muted" />}
                    <LocationView location={step} />
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </>
      )}
    </div>
  )
}
