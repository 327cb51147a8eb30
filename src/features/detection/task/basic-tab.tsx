import { useMemo } from 'react'
import { APPLICATION_TYPES } from '#contracts/detection/kinds.ts'
import { resultLibraries } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'
import { signatureWords } from './signature-words.ts'

const texts = defineTexts('detection-basic', {
  type: { zh: '应用类型', en: 'Application type' },
  noType: { zh: '未指定，不判断权限是否超范围', en: 'Not given, so excessive permissions are not judged' },
})
type Library = ResponseOf<typeof resultLibraries>['data'][number]

/** What the package is. */
export function BasicTab({ answer, summary, address }: PartProps) {
  const t = useTexts(reportTexts)
  const b = useTexts(texts)
  const language = useLanguage()
  const one = summary.package
  const libraries = useEndpoint(
    resultLibraries,
    { query: partQuery(answer.data.id, address.params) },
    { enabled: summary.sizes.libraries > 0, placeholderData: (before) => before },
  )
  const columns = useMemo(
    (): Column<Library>[] => [
      { id: 'name', header: t('name'), cell: (row) => row.name },
      { id: 'abi', header: t('abi'), width: '140px', cell: (row) => row.abi },
      { id: 'entry', header: t('entry'), cell: (row) => <span className="font-mono text-12">{row.entry}</span> },
    ],
    [t],
  )
  const facts: [string, React.ReactNode][] = [
    [t('name'), one.name],
    [t('packageName'), <CopyText key="id" value={one.id} />],
    [t('version'), one.version],
    [t('build'), one.build],
    [t('kind'), one.kind.toUpperCase()],
    [t('platform'), one.platform === 'ios' ? 'iOS' : 'Android'],
    [t('size'), `${formatBytes(one.size)} (${formatExact(one.size)} B)`],
    [b('type'), summary.application_type ? APPLICATION_TYPES[summary.application_type][language] : b('noType')],
    [t('minSdk'), one.minSdk],
    [t('targetSdk'), one.targetSdk],
    [
      t('mainClass'),
      <span key="main" className="font-mono text-12">
        {one.mainClass}
      </span>,
    ],
    [t('abis'), one.abis.join(', ')],
    [t('dexCount'), formatExact(one.dexCount)],
    [t('classCount'), formatExact(one.classCount)],
    [t('packer'), one.packer ?? t('noPacker')],
    [t('signed'), t(...signatureWords(one))],
    ['MD5', <CopyText key="md5" value={one.md5} />],
    ['SHA-1', <CopyText key="sha1" value={one.sha1} />],
    ['SHA-256', <CopyText key="sha256" value={one.sha256} />],
    [
      t('rules'),
      t('rulesValue', { pack: summary.rules.pack, version: summary.rules.version, items: summary.rules.items }),
    ],
  ]
  return (
    <>
      <dl className="grid grid-cols-[120px_minmax(0,1fr)_120px_minmax(0,1fr)] gap-x-3 gap-y-2 py-4 max-lg:grid-cols-[112px_minmax(0,1fr)]">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value || '–'}
          </Fact>
        ))}
      </dl>
      {summary.sizes.libraries > 0 && (
        <div className="border-t">
          <h2 className="pt-3 text-14 font-semibold">{t('libraries')}</h2>
          <PartTable
            label={t('libraries')}
            columns={columns}
            answer={libraries}
            rowKey={(row) => row.entry}
            address={address}
          />
        </div>
      )}
    </>
  )
}
