import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, CircleX, Download, FileText, LockKeyhole, RotateCcw, ScrollText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  cancelScripts,
  deleteScripts,
  downloadScript,
  downloadScriptLog,
  measureScript,
  protectScript,
  SCRIPT_PRESETS,
  type Script,
  type ScriptMeasure,
  type ScriptOptions,
  ScriptOptionsSchema,
  type ScriptPreset,
  scriptDetail,
  scripts,
} from '#contracts/http/js-protection.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { endpointKey, useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { DownloadLink } from '#src/shared/ui/download-link.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { FunctionPreview } from './function-preview.tsx'
import { jsTexts } from './js-texts.ts'
import { OptionsDialog } from './options-dialog.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { PresetCards } from './preset-cards.tsx'
import { isWorking, ScriptState } from './script-state.tsx'

const [ACTIVE_MS, IDLE_MS] = [800, 20_000]
const DEFAULTS = ScriptOptionsSchema.parse({ preset: 'medium' })

/** One script: its cost with each preset, options, one function before and after, and its result. Mount it again for another script. */
export function ScriptDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(jsTexts)
  const client = useQueryClient()
  const answer = useEndpoint(
    scriptDetail,
    { query: { id } },
    {
      refetchInterval: ({ state: { data } }) =>
        data && (isWorking(data.data) || isMeasuring(data.measure)) ? ACTIVE_MS : IDLE_MS,
    },
  )
  const refreshes = [scripts, scriptDetail]
  const remove = useAction(deleteScripts, {
    refreshes: [scripts],
    onSuccess: () => {
      deleted()
      client.removeQueries({ queryKey: endpointKey(scriptDetail, { query: { id } }) })
      onClose()
    },
  })
  const cancel = useAction(cancelScripts, { refreshes, onSuccess: () => toast.info(t('cancelled')) })
  const protect = useAction(protectScript, { refreshes, onSuccess: () => toast.success(t('started')) })
  const again = useAction(measureScript, { refreshes })
  const [draft, setDraft] = useState<ScriptOptions | null>(null)
  const [isOpen, setOpen] = useState(false)

  if (!answer.data) {
    const { error } = answer
    if (!error) return <Skeleton lines={10} height="28px" className="p-5" />
    return error.key === 'data.missing' || error.key === 'input.invalid' ? (
      <EmptyState kind="missing" title={t('missing')} action={<Button onPress={onClose}>{t('back')}</Button>} />
    ) : (
      <ErrorState error={error} onRetry={() => void answer.refetch()} />
    )
  }
  const { data: script, measure, functions, outcomes } = answer.data
  const options = draft ?? script.options ?? DEFAULTS
  const set = (change: Partial<ScriptOptions>) => setDraft({ ...options, ...change })
  const working = isWorking(script)

  async function ask(): Promise<void> {
    if (
      await confirmDeletion({
        title: t('deleteTitle', { name: script.name }),
        text: t('deleteText'),
        action: t('delete'),
      })
    )
      remove.mutate({ body: { ids: [id] } })
  }

  return (
    <div className="flex min-w-0 flex-col">
      <Head
        script={script}
        onClose={onClose}
        onDelete={() => void ask()}
        onCancel={() => cancel.mutate({ body: { ids: [id] } })}
        isBusy={cancel.isPending || remove.isPending}
      />
      <Section
        plain
        className="border-t"
        title={t('cost')}
        note={t('costNote')}
        actions={<MeasureNote measure={measure} onAgain={() => again.mutate({ body: { id } })} isBusy={working} />}
        bodyClassName="gap-3 px-5 pb-4"
      >
        <PresetCards
          measure={measure}
          value={options.preset}
          // What differed from another preset says nothing of this one.
          onChange={(preset) => set({ preset, parts: {} })}
          isDisabled={working}
        />
        <OptionLine options={options} onChange={set} onAll={() => setOpen(true)} isDisabled={working} />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            isDisabled={working || protect.isPending}
            onPress={() => protect.mutate({ body: { id, options } })}
            icon={LockKeyhole}
          >
            {t(
              script.state === 'failed' || script.state === 'stopped'
                ? 'retry'
                : script.state === 'encrypted'
                  ? 'again'
                  : 'protect',
            )}
          </Button>
        </div>
      </Section>
      {functions.length > 0 && (
        <div className="border-t">
          <FunctionPreview functions={functions} preset={options.preset} />
        </div>
      )}
      {measure.costs.some(({ trial }) => trial && trial.calls > 0) && (
        <div className="border-t">
          <Tested measure={measure} />
        </div>
      )}
      {outcomes.length > 0 && (
        <Section
          plain
          className="border-t"
          title={t('result')}
          note={t('resultNote')}
          actions={
            <DownloadLink icon={ScrollText} href={downloadHref(downloadScriptLog, { id })} label={t('downloadLog')} />
          }
        >
          <OutcomeTable outcomes={outcomes} />
        </Section>
      )}
      {isOpen && (
        <OptionsDialog
          options={options}
          onClose={() => setOpen(false)}
          onApply={(next) => {
            setDraft(next)
            setOpen(false)
          }}
        />
      )}
    </div>
  )
}

const isMeasuring = ({ state }: ScriptMeasure) => state === 'waiting' || state === 'running'

function Head({
  script,
  onClose,
  onDelete,
  onCancel,
  isBusy,
}: {
  script: Script
  onClose: () => void
  onDelete: () => void
  onCancel: () => void
  isBusy: boolean
}) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const {
    id,
    name,
    size,
    kind,
    files,
    scripts: count,
    state,
    progress,
    current,
    done,
    output_size,
    has_map,
    note,
  } = script
  const isDone = state === 'encrypted'
  return (
    <header className="flex flex-col gap-2 px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="lg:hidden">
          <IconButton size="small" label={t('back')} icon={ArrowLeft} onPress={onClose} />
        </span>
        <h2 className="text-clip-line min-w-0 text-16 font-semibold" title={name}>
          {name}
        </h2>
        <Chip>{formatBytes(size)}</Chip>
        <span className="text-12 text-muted">{kind === 'zip' ? t('inZip', { files, scripts: count }) : t('inJs')}</span>
        <span className="ml-auto flex items-center gap-2">
          {isDone && (
            <>
              {has_map && (
                <DownloadLink
                  icon={FileText}
                  href={downloadHref(downloadScript, { id, part: 'map' })}
                  label={t('downloadMap')}
                />
              )}
              <ReportMenu of="script" subject={{ of: 'script', script: id }} />
              <a className={buttonClass('plain', 'control')} href={downloadHref(downloadScript, { id })} download>
                <Icon of={Download} size={16} />
                <span>
                  {t('download')} {output_size !== null && formatBytes(output_size)}
                </span>
              </a>
            </>
          )}
          {isWorking(script) && (
            <Button icon={CircleX} isDisabled={isBusy} onPress={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <IconButton size="small" label={`${t('delete')}…`} icon={Trash2} isDisabled={isBusy} onPress={onDelete} />
        </span>
      </div>
      {isWorking(script) ? (
        <div aria-live="polite" className="flex items-center gap-3">
          <span className="min-w-24 flex-1">
            <ProgressBar value={state === 'waiting' ? null : progress} label={name} />
          </span>
          <span className="font-semibold tabular-nums">{Math.round(progress * 100)}%</span>
          <span className="text-clip-line max-w-80 text-12 text-muted">
            {state === 'waiting'
              ? t('queued')
              : t('progress', { current: current || t('reading'), done, scripts: count })}
          </span>
        </div>
      ) : (
        <div className="flex min-w-0 items-center gap-3 text-12 text-muted">
          <ScriptState script={script} />
          {script.options && <span>{SCRIPT_PRESETS[script.options.preset][language]}</span>}
          {note && <span className="min-w-0 [overflow-wrap:anywhere] text-bad-text">{note}</span>}
        </div>
      )}
    </header>
  )
}

/** Where the figures come from, or why there are none. */
function MeasureNote({ measure, onAgain, isBusy }: { measure: ScriptMeasure; onAgain: () => void; isBusy: boolean }) {
  const t = useTexts(jsTexts)
  const { state, sample, runs, untimed, note } = measure
  const [first = ''] = sample
  const name =
    sample.length > 1 ? t('sampleMore', { name: lastPart(first), count: sample.length - 1 }) : lastPart(first)
  const text =
    state === 'waiting'
      ? t('measureWaits')
      : state === 'running'
        ? t('measuring')
        : state === 'stopped'
          ? t('measureStopped')
          : state === 'failed'
            ? t('measureFailed', { note })
            : untimed !== ''
              ? t(`untimed_${untimed}`)
              : runs > 0
                ? t('sample', { name, runs })
                : t('sampleOnly', { name })
  return (
    <>
      <span className="text-clip-line max-w-96 text-12 text-muted" title={`${text} ${sample.join(', ')}`}>
        {text}
      </span>
      {!isMeasuring(measure) && !isBusy && (
        <IconButton size="small" label={t('measureAgain')} icon={RotateCcw} onPress={onAgain} />
      )}
    </>
  )
}

const lastPart = (path: string) => path.split('/').at(-1) ?? path

/** The options that most runs need; the dialog has all. */
function OptionLine({
  options,
  onChange,
  onAll,
  isDisabled,
}: {
  options: ScriptOptions
  onChange: (change: Partial<ScriptOptions>) => void
  onAll: () => void
  isDisabled: boolean
}) {
  const t = useTexts(jsTexts)
  const names = options.reserved_names.length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Checkbox
        isSelected={options.source_map}
        onChange={(source_map) => onChange({ source_map })}
        isDisabled={isDisabled}
      >
        {t('keepMap')}
      </Checkbox>
      <Checkbox
        isSelected={options.domain_lock.length > 0}
        onChange={(isOn) => (isOn ? onAll() : onChange({ domain_lock: [] }))}
        isDisabled={isDisabled}
      >
        {t('domainLock')}
        {options.domain_lock.length > 0 && <Chip>{options.domain_lock.join(', ').slice(0, 40)}</Chip>}
      </Checkbox>
      <Checkbox
        isSelected={options.time_lock !== null}
        onChange={(isOn) => (isOn ? onAll() : onChange({ time_lock: null }))}
        isDisabled={isDisabled}
      >
        {t('timeLock')}
      </Checkbox>
      <Checkbox
        isSelected={options.self_defending}
        onChange={(self_defending) => onChange({ self_defending })}
        isDisabled={isDisabled}
      >
        {t('selfDefending')}
      </Checkbox>
      <span className="text-12 text-muted" title={t('deterrentHint')}>
        {t('deterrents')}
      </span>
      <span className="ml-auto">
        <Button size="small" variant="quiet" onPress={onAll} isDisabled={isDisabled}>
          {names > 0 ? t('reservedCount', { count: names }) : t('allOptions')}
        </Button>
      </span>
    </div>
  )
}

/** What was tried on the sample, with each preset. */
function Tested({ measure }: { measure: ScriptMeasure }) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  type Row = { id: string; of: (preset: ScriptPreset) => string }
  const trialOf = (preset: ScriptPreset) => measure.costs.find((one) => one.preset === preset)?.trial
  const rows: Row[] = [
    {
      id: t('trial'),
      of(preset) {
        const trial = trialOf(preset)
        return trial ? `${trial.same} / ${trial.calls}` : '—'
      },
    },
    {
      id: t('parses'),
      of: (preset) =>
        measure.costs.some((one) => one.preset === preset)
          ? `${measure.sample.length} / ${measure.sample.length}`
          : '—',
    },
  ]
  const columns: Column<Row>[] = [
    { id: 'check', header: t('check'), cell: ({ id }) => <span title={t('trialHint')}>{id}</span> },
    ...(Object.keys(SCRIPT_PRESETS) as ScriptPreset[]).map(
      (preset): Column<Row> => ({
        id: preset,
        header: SCRIPT_PRESETS[preset][language],
        width: '18%',
        cell: ({ of }) => <span className="tabular-nums">{of(preset)}</span>,
      }),
    ),
  ]
  return (
    <Section plain title={t('tested')} note={t('trialHint')}>
      <DataTable label={t('tested')} columns={columns} rows={rows} rowKey={({ id }) => id} density="dense" />
    </Section>
  )
}
