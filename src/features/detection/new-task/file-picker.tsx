import { Upload } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { FILE_TYPES } from '#contracts/detection/kinds.ts'
import { type AppFile, fileManage } from '#contracts/http/assets.ts'
import { PAGES } from '#contracts/pages.ts'
import { NothingOfApplication, useApplicationFilter } from '#src/features/detection/parts/application-filter.tsx'
import { PackageIcon } from '#src/features/detection/parts/package-icon.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import type { Address } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toggled } from './chosen-files.ts'
import { newTexts } from './new-texts.ts'

const PAGE_SIZE = 20

/** The packages of the asset center to tick; the choice is kept in the address, so that an asset page can link here. */
export function FilePicker({ address, chosen }: { address: Address; chosen: readonly string[] }) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { params, setParams } = address
  const appid = useApplicationFilter()
  const find = (params.get('find') ?? '').slice(0, 100)
  const page = Math.max(1, Number(params.get('page')) || 1)
  const answer = useEndpoint(
    fileManage,
    { query: { search: find, page, page_size: PAGE_SIZE, appid } },
    { placeholderData: (before) => before },
  )
  const data = answer.data
  return (
    <Section
      plain
      title={t('files')}
      note={
        chosen.length > 0
          ? `${t('chosen', { count: chosen.length })}${language === 'zh' ? '，' : ', '}${t('filesNote')}`
          : t('filesNote')
      }
      state={!data && !answer.error ? 'loading' : answer.isPlaceholderData ? 'refreshing' : 'ready'}
      skeleton={<Skeleton lines={8} height="32px" className="px-5 py-3" />}
      actions={
        <SearchBox
          label={t('find')}
          value={find}
          onSearch={(words) => setParams({ find: words || null, page: null }, true)}
        />
      }
    >
      {answer.error && !data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : data?.total === 0 ? (
        find ? (
          <EmptyState kind="filtered" title={t('noMatch')} />
        ) : appid ? (
          <NothingOfApplication />
        ) : (
          <EmptyState
            kind="none"
            title={t('noFiles')}
            hint={t('noFilesHint')}
            action={
              <Button icon={Upload} onPress={() => void navigate(PAGES.assets.path)}>
                {t('upload')}
              </Button>
            }
          />
        )
      ) : (
        <>
          <ul aria-label={t('files')} className="max-lg:max-h-[46dvh] max-lg:overflow-auto">
            {data?.data.map((file) => (
              <FileRow
                key={file.id}
                file={file}
                isChosen={chosen.includes(file.id)}
                onToggle={() => setParams({ files: toggled(chosen, file.id) }, true)}
              />
            ))}
          </ul>
          {data && data.total > PAGE_SIZE && (
            <TableFoot
              page={page}
              pageSize={PAGE_SIZE}
              total={data.total}
              onPage={(next) => setParams({ page: next > 1 ? String(next) : null }, true)}
            />
          )}
        </>
      )}
    </Section>
  )
}

function FileRow({ file, isChosen, onToggle }: { file: AppFile; isChosen: boolean; onToggle: () => void }) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  return (
    <li className={`border-b px-5 hover:bg-hover max-lg:px-4 [&>label]:flex ${isChosen ? 'bg-selected' : ''}`}>
      <Checkbox
        isSelected={isChosen}
        onChange={onToggle}
        label={t('choose', { name: file.name, version: file.version })}
      >
        <span className="flex min-h-12 w-full min-w-0 items-center gap-3 py-1">
          <PackageIcon icon={file.icon} name={file.name} />
          <span className="min-w-0 flex-1">
            <span className="text-clip-line block font-semibold">
              {file.name} {file.version}
            </span>
            <span className="text-clip-line block font-mono text-12/4 text-muted">
              {file.package_name || file.file_name}
            </span>
          </span>
          <span className="w-16 flex-none text-12 text-muted max-sm:hidden">
            {FILE_TYPES[file.file_type][language]}
          </span>
          <span className="w-20 flex-none text-right text-12 text-muted">{formatBytes(file.size)}</span>
          <span className="w-24 flex-none text-right text-12 text-muted max-sm:hidden">
            <RelativeTime at={file.uploaded_at} />
          </span>
        </span>
      </Checkbox>
    </li>
  )
}
