import { Upload } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { type AppFile, fileManage } from '#contracts/http/assets.ts'
import { PAGES } from '#contracts/pages.ts'
import { NothingOfApplication, useApplicationFilter } from '#src/features/detection/parts/application-filter.tsx'
import { PackageIcon } from '#src/features/detection/parts/package-icon.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import type { Address } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { MOST_PACKAGES, problemOf } from './chosen-packages.ts'
import { newTexts } from './new-texts.ts'
import type { ChosenFile } from './use-chosen-files.ts'

const PAGE_SIZE = 20

/** The Android packages among the application files to tick; those that cannot be reinforced say why. */
export function FilePicker({
  address: { params, setParams },
  chosen,
  error,
  onToggle,
}: {
  address: Address
  chosen: readonly ChosenFile[]
  /** Shown when the choice is needed and missing. */
  error: string | undefined
  onToggle: (id: string, file?: AppFile) => void
}) {
  const t = useTexts(newTexts)
  const navigate = useNavigate()
  const appid = useApplicationFilter()
  const find = (params.get('find') ?? '').slice(0, 100)
  const page = Math.max(1, Number(params.get('page')) || 1)
  const answer = useEndpoint(
    fileManage,
    { query: { search: find, page, page_size: PAGE_SIZE, appid, file_type: '1' } },
    { placeholderData: (before) => before },
  )
  const { data } = answer
  const isFull = chosen.length >= MOST_PACKAGES
  return (
    <Section
      plain
      title={t('files')}
      note={t('filesNote')}
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
      {error && (
        <p role="alert" className="px-5 pb-2 text-12 text-bad-text">
          {error}
        </p>
      )}
      {chosen.length > 0 && <ChosenLine chosen={chosen} onRemove={onToggle} />}
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
          <ul aria-label={t('files')} className="border-t max-lg:max-h-[46dvh] max-lg:overflow-auto">
            {data?.data.map((file) => (
              <FileRow
                key={file.id}
                file={file}
                isChosen={chosen.some(({ id }) => id === file.id)}
                isFull={isFull}
                onToggle={() => onToggle(file.id, file)}
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

/** What is chosen, wherever in the list it is; each can be taken out. */
function ChosenLine({ chosen, onRemove }: { chosen: readonly ChosenFile[]; onRemove: (id: string) => void }) {
  const t = useTexts(newTexts)
  return (
    <div className="flex flex-wrap items-center gap-2 border-t bg-selected px-5 py-1.5">
      <span className="font-semibold">{t('chosen', { count: chosen.length })}</span>
      {chosen.map(({ id, file, isMissing }) => {
        const problem = file && problemOf(file)
        const name = file ? `${file.name} ${file.version}` : id
        const text = isMissing
          ? t('fileMissing', { id })
          : problem
            ? t('chosenProblem', { name, problem: t(`problem_${problem}`) })
            : name
        return (
          <Chip key={id} tone={isMissing || problem ? 'bad' : 'neutral'} label={name} onRemove={() => onRemove(id)}>
            <span className="text-clip-line max-w-72">{text}</span>
          </Chip>
        )
      })}
    </div>
  )
}

function FileRow({
  file,
  isChosen,
  isFull,
  onToggle,
}: {
  file: AppFile
  isChosen: boolean
  isFull: boolean
  onToggle: () => void
}) {
  const t = useTexts(newTexts)
  const problem = problemOf(file)
  const why = problem ? t(`problem_${problem}`) : isFull && !isChosen ? t('full') : null
  return (
    <li className={`border-b px-5 [&>label]:flex ${isChosen ? 'bg-selected' : ''} ${why ? '' : 'hover:bg-hover'}`}>
      <Checkbox
        isSelected={isChosen}
        isDisabled={why !== null && !isChosen}
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
            {problem && <span className="block text-12 text-muted sm:hidden">{why}</span>}
          </span>
          {problem && <span className="flex-none text-12 text-muted max-sm:hidden">{why}</span>}
          <span className="w-20 flex-none text-right text-12 text-muted tabular-nums">{formatBytes(file.size)}</span>
          <span className="w-24 flex-none text-right text-12 text-muted max-sm:hidden">
            <RelativeTime at={file.uploaded_at} />
          </span>
        </span>
      </Checkbox>
    </li>
  )
}
