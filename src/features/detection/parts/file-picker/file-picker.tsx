import { Upload } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { FILE_TYPES, type FileType } from '#contracts/detection/kinds.ts'
import { type AppFile, fileManage } from '#contracts/http/assets.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import type { Address } from '#src/shared/table/use-address.ts'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { NothingOfApplication, useApplicationFilter } from '../application-filter.tsx'
import { pickerTexts } from './picker-texts.ts'
import type { Choice } from './use-chosen-files.ts'

const PAGE_SIZE = 20

/** Why a file of the list cannot be chosen, in words; null: it can. */
type Problem = (file: AppFile) => string | null

/** The application files, to tick. What is chosen is in the address, so that other pages can link here. */
export function FilePicker({
  address: { params, setParams },
  choice,
  fileType = 'all',
  note,
  emptyHint,
  problemOf = () => null,
  error,
}: {
  address: Address
  choice: Choice
  /** Which files are listed. */
  fileType?: FileType | 'all'
  note: string
  /** What to do where no file exists yet. */
  emptyHint: string
  problemOf?: Problem
  /** Shown when the choice is needed and missing. */
  error?: string | undefined
}) {
  const t = useTexts(pickerTexts)
  const navigate = useNavigate()
  const appid = useApplicationFilter()
  const find = (params.get('find') ?? '').slice(0, 100)
  const page = Math.max(1, Number(params.get('page')) || 1)
  const answer = useEndpoint(
    fileManage,
    { query: { search: find, page, page_size: PAGE_SIZE, appid, ...(fileType !== 'all' && { file_type: fileType }) } },
    { placeholderData: (before) => before },
  )
  const { data } = answer
  const isFull = choice.ids.length >= choice.most
  const chosen = choice.ids.length > 0 && <ChosenLine choice={choice} problemOf={problemOf} />
  return (
    <Section
      plain
      title={t('files')}
      note={note}
      state={!data && !answer.error ? 'loading' : answer.isPlaceholderData ? 'refreshing' : 'ready'}
      skeleton={
        <>
          {chosen}
          <Skeleton
            lines={8}
            height="37px"
            className="px-5 py-1.5 max-lg:h-[46dvh] max-lg:overflow-hidden max-lg:px-4"
          />
        </>
      }
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
      {chosen}
      {/* As high as the placeholder on a phone, where other parts come below. */}
      <div className="max-lg:min-h-[46dvh]">
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
              hint={emptyHint}
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
                  isChosen={choice.ids.includes(file.id)}
                  problem={problemOf(file)}
                  full={isFull ? t('full', { count: choice.most }) : null}
                  showsType={fileType === 'all'}
                  onToggle={() => choice.toggle(file.id, file)}
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
      </div>
    </Section>
  )
}

/** What is chosen, wherever in the list it is; each can be taken out. */
function ChosenLine({ choice, problemOf }: { choice: Choice; problemOf: Problem }) {
  const t = useTexts(pickerTexts)
  return (
    <div className="flex max-h-32 flex-wrap items-center gap-2 overflow-auto border-t bg-selected px-5 py-1.5 max-lg:px-4">
      <span className="font-semibold">{t('chosen', { count: choice.ids.length })}</span>
      {choice.files.map(({ id, file, isMissing }) => {
        const problem = file && problemOf(file)
        const name = file ? `${file.name} ${file.version}` : id
        const text = isMissing ? t('fileMissing', { id }) : problem ? t('chosenProblem', { name, problem }) : name
        return (
          <Chip
            key={id}
            tone={isMissing || problem ? 'bad' : 'neutral'}
            label={name}
            onRemove={() => choice.toggle(id)}
          >
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
  problem,
  full,
  showsType,
  onToggle,
}: {
  file: AppFile
  isChosen: boolean
  problem: string | null
  /** Why no further file can be chosen; null: there is room. */
  full: string | null
  showsType: boolean
  onToggle: () => void
}) {
  const t = useTexts(pickerTexts)
  const language = useLanguage()
  const why = isChosen ? null : (problem ?? full)
  return (
    <li
      className={`border-b px-5 max-lg:px-4 [&>label]:flex ${isChosen ? 'bg-selected' : ''} ${why ? '' : 'hover:bg-hover'}`}
    >
      <Checkbox
        isSelected={isChosen}
        isDisabled={why !== null}
        onChange={onToggle}
        label={t('choose', { name: file.name, version: file.version })}
      >
        <span className="flex min-h-12 w-full min-w-0 items-center gap-3 py-1">
          <AppIcon name={file.name} icon={file.icon} size={26} />
          <span className="min-w-0 flex-1">
            <span className="text-clip-line block font-semibold">
              {file.name} {file.version}
            </span>
            <span className="text-clip-line block font-mono text-12/4 text-muted">
              {file.package_name || file.file_name}
            </span>
            {problem && <span className="block text-12 text-muted sm:hidden">{problem}</span>}
          </span>
          {problem && <span className="flex-none text-12 text-muted max-sm:hidden">{problem}</span>}
          {showsType && (
            <span className="w-16 flex-none text-12 text-muted max-sm:hidden">
              {FILE_TYPES[file.file_type][language]}
            </span>
          )}
          <span className="w-20 flex-none text-right text-12 text-muted tabular-nums">{formatBytes(file.size)}</span>
          <span className="w-24 flex-none text-right text-12 text-muted max-sm:hidden">
            <RelativeTime at={file.uploaded_at} />
          </span>
        </span>
      </Checkbox>
    </li>
  )
}
