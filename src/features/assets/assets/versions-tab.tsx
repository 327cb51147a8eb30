import type { ReactNode } from 'react'
import { type AppFile, fileDetail, showFile } from '#contracts/http/assets.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { changesOf, type FileDetail, type ListChange } from './compare-files.ts'
import { Protection } from './file-columns.tsx'
import { fileTexts } from './file-texts.ts'

/** This file beside another version of its application: every field, and what permissions, components and libraries came and went. */
export function VersionsTab({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  const zone = usePlatform((state) => state.zone)
  const { params, setParams } = useAddress()
  const canAsk = file.appid !== null || file.package_name !== ''
  const answer = useEndpoint(
    showFile,
    { query: file.appid === null ? { package_name: file.package_name } : { appid: file.appid } },
    { enabled: canAsk },
  )
  const others = (answer.data?.object_list ?? []).filter((one) => one.id !== file.id)
  const earlier = others.find((one) => one.uploaded_at <= file.uploaded_at)
  const other = others.find((one) => one.id === params.get('with')) ?? earlier ?? others[0]
  const detail = useEndpoint(fileDetail, { query: { id: other?.id ?? '0' } }, { enabled: other !== undefined })
  if (answer.error) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (canAsk && !answer.data) return <Skeleton lines={6} className="p-5" />
  if (!other) return <EmptyState kind="none" title={t('onlyOne')} hint={t('onlyOneHint')} />
  const nameOf = (one: AppFile) => `${one.version || one.file_name} · ${formatDateTime(one.uploaded_at, zone)}`
  return (
    <div className="px-5 py-3">
      <Select
        size="small"
        prefix
        label={`${t('compareWith')}：`}
        value={other.id}
        onChange={(id) => setParams({ with: id })}
        items={others.map((one) => ({ id: one.id, label: nameOf(one) }))}
        className="w-80 max-w-full"
      />
      {detail.error ? (
        <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
      ) : detail.data ? (
        <SideBySide before={detail.data.data} after={file} />
      ) : (
        <Skeleton lines={10} className="py-3" />
      )}
    </div>
  )
}

type Line = { name: string; before: ReactNode; after: ReactNode; same: boolean }

function SideBySide({ before, after }: { before: FileDetail; after: FileDetail }) {
  const t = useTexts(fileTexts)
  const zone = usePlatform((state) => state.zone)
  const line = (name: string, value: (file: FileDetail) => string, show?: (file: FileDetail) => ReactNode): Line => ({
    name,
    before: (show ?? value)(before),
    after: (show ?? value)(after),
    same: value(before) === value(after),
  })
  const identity = (key: string) => (file: FileDetail) => {
    const value = file.facts.identity.find((one) => one.key === key)?.value ?? '–'
    return value === 'true' || value === 'false' ? t(value) : value
  }
  const keys = [...new Set([...before.facts.identity, ...after.facts.identity].map(({ key }) => key))]
  const lines: Line[] = [
    line(t('version'), ({ version, version_code: code }) => (code ? `${version} (${code})` : version || '–')),
    line(
      t('size'),
      ({ size }) => String(size),
      ({ size }) => formatBytes(size),
    ),
    line(
      'MD5',
      ({ md5 }) => md5,
      ({ md5 }) => <code className="text-12">{md5}</code>,
    ),
    line(
      t('signer'),
      ({ signers }) => [...signers].sort().join(' '),
      ({ signers }) => (
        <code className="text-12 break-all">{signers.map((one) => one.slice(0, 16)).join(' ') || '–'}</code>
      ),
    ),
    line(t('state'), ({ signature }) => t(signature)),
    line(
      t('protection'),
      ({ protection, packer }) => `${protection} ${packer}`,
      (file) => <Protection file={file} />,
    ),
    ...keys.map((key) => line(key in fileTexts.entries ? t(key as 'min_sdk') : key, identity(key))),
    line(t('dexFiles'), ({ facts }) => formatExact(facts.dex_files)),
    line(t('abis'), ({ facts }) => facts.abis.join(', ') || '–'),
    line(t('uploadedAt'), ({ uploaded_at: at }) => formatDateTime(at, zone)),
  ]
  const changes = changesOf(before, after)
  return (
    <>
      <table aria-label={t('versions')} className="mt-3 w-full table-fixed border-collapse">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-muted">
            <th scope="col" className="w-36 px-2 font-normal">
              {t('field')}
            </th>
            <th scope="col" className="px-2 font-normal">
              {before.version || before.file_name}
            </th>
            <th scope="col" className="px-2 font-normal">
              {`${after.version || after.file_name} · ${t('thisFile')}`}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, before: left, after: right, same }) => (
            <tr key={name} className="border-b align-top">
              <th scope="row" className="px-2 py-1.5 text-left font-normal text-muted">
                {name}
                <span className="sr-only">{t(same ? 'same' : 'changed')}</span>
              </th>
              <td className="px-2 py-1.5 [overflow-wrap:anywhere]">{left}</td>
              <td className={`px-2 py-1.5 [overflow-wrap:anywhere] ${same ? '' : 'bg-selected font-semibold'}`}>
                {right}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {(['permissions', 'components', 'libraries'] as const).map((name) => (
        <Changes key={name} title={t(name)} change={changes[name]} />
      ))}
    </>
  )
}

function Changes({ title, change: { added, removed, before, after } }: { title: string; change: ListChange }) {
  const t = useTexts(fileTexts)
  return (
    <section className="pt-4">
      <h3 className="font-semibold">
        {title}
        <span className="pl-2 text-12 font-normal text-muted">{`${formatExact(before)} → ${formatExact(after)}`}</span>
      </h3>
      {added.length + removed.length === 0 ? (
        <p className="text-12 text-muted">{t('same')}</p>
      ) : (
        <div className="grid gap-4 pt-1 text-12 md:grid-cols-2">
          <List
            title={t('removedCount', { number: formatExact(removed.length) })}
            names={removed}
            tone="text-bad-text"
            mark="−"
          />
          <List
            title={t('added', { number: formatExact(added.length) })}
            names={added}
            tone="text-good-text"
            mark="+"
          />
        </div>
      )}
    </section>
  )
}

function List({ title, names, tone, mark }: { title: string; names: readonly string[]; tone: string; mark: string }) {
  return (
    <div className="min-w-0">
      <div className="text-muted">{title}</div>
      <ul className="max-h-72 overflow-auto">
        {names.map((name) => (
          <li key={name} className={`${tone} [overflow-wrap:anywhere]`}>
            <code>{`${mark} ${name}`}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
