import { CircleX, FileText } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import {
  CHANNEL_ERRORS,
  CHANNEL_TEXT_BYTES,
  channelBases,
  importChannels,
  previewChannels,
  reinforceChannels,
} from '#contracts/http/reinforce-channels.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { ChannelEditor, type ChannelEditorHandle } from './channel-editor.tsx'
import { EXAMPLE, importTexts } from './channel-texts.ts'

/** What is being imported: it outlives the closed drawer. `names`: groups by the first key of their line. */
export type ImportDraft = { fileName: string; text: string; skip: boolean; names: Readonly<Record<string, string>> }
export const NO_DRAFT: ImportDraft = { fileName: 'channels.txt', text: '', skip: false, names: {} }

const CHECK_AFTER_MS = 300

/** An import file: chosen, mended line by line, and shown with all that it will do before it does it. */
export function ImportDrawer({
  appid,
  draft,
  onChange,
  onClose,
}: {
  appid: string
  draft: ImportDraft
  onChange: (draft: ImportDraft) => void
  onClose: () => void
}) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const editor = useRef<ChannelEditorHandle>(null)
  const [fileError, setFileError] = useState('')
  const { fileName, text, skip, names } = draft
  const lines = text.split(/\r\n|\r|\n/)
  const firstKey = (line: number) => /^[^:,]*/.exec(lines[line - 1] ?? '')?.[0].trim() ?? ''
  const groups = lines.flatMap((_, i) => {
    const name = names[firstKey(i + 1)]?.trim()
    return name && firstKey(i + 1) ? [{ line: i + 1, name }] : []
  })
  const current = { appid, file_name: fileName, text, groups }
  const asked = useSettled(current, CHECK_AFTER_MS)
  const isBlank = text.trim() === ''
  const answer = useEndpoint(
    previewChannels,
    { body: asked },
    { enabled: asked.text.trim() !== '', placeholderData: (before) => before },
  )
  const preview = isBlank ? undefined : answer.data
  const isChecking = !isBlank && (JSON.stringify(asked) !== JSON.stringify(current) || answer.isFetching)
  const send = useAction(importChannels, {
    refreshes: [reinforceChannels, channelBases, previewChannels],
    onSuccess: ({ added, renamed, moved, unchanged }) => {
      toast.success(t('done', { added, renamed, moved, unchanged }))
      onChange(NO_DRAFT)
      onClose()
    },
  })
  const errors = preview?.errors ?? []
  const wrongFile = errors.some(({ line }) => line === 0)
  const count = preview?.items ?? 0
  const isReady = !isChecking && count > 0 && !wrongFile && (errors.length === 0 || skip) && !send.isPending

  async function take(file: File | undefined): Promise<void> {
    if (!file) return
    const refuse = (key: keyof typeof CHANNEL_ERRORS) =>
      setFileError(`${file.name}${language === 'zh' ? '：' : ': '}${CHANNEL_ERRORS[key][language]}`)
    if (!/\.txt$/i.test(file.name)) return refuse('type')
    if (file.size >= CHANNEL_TEXT_BYTES) return refuse('size')
    if (file.size === 0) return refuse('empty')
    try {
      const read = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
      setFileError('')
      onChange({ ...NO_DRAFT, fileName: file.name, text: read })
    } catch {
      refuse('encoding')
    }
  }

  return (
    <Drawer
      isOpen
      takeFocus
      onClose={onClose}
      title={t('title')}
      width="480px"
      footer={
        <>
          <span role="status" className="min-w-0 flex-1 text-12 text-muted">
            {isBlank ? t('empty') : isChecking ? t('checking') : errors.length > 0 && !skip ? t('mend') : ''}
          </span>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={!isReady}
            onPress={() => send.mutate({ body: { ...current, skip: skip && errors.length > 0 } })}
          >
            {count > 0
              ? t('submit', { count: errors.length > 0 && !skip ? count + errors.length : count })
              : t('submitPlain')}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a file may be dropped here; the button does the same */}
      <div
        className="divide-y"
        onDragOver={(event: DragEvent) => event.preventDefault()}
        onDrop={(event: DragEvent) => {
          event.preventDefault()
          void take(event.dataTransfer.files[0])
        }}
      >
        <div className="px-5 py-3">
          <div className="flex items-center gap-2">
            <Icon of={FileText} size={16} className="flex-none text-muted" />
            <span className="text-clip-line min-w-0 font-semibold">{fileName}</span>
            <span className="flex-none text-12 text-muted tabular-nums">
              {formatBytes(new TextEncoder().encode(text).length)} / 10 KB
            </span>
            <Button size="small" className="ml-auto" onPress={() => input.current?.click()}>
              {t(isBlank ? 'choose' : 'another')}
            </Button>
            <input
              ref={input}
              type="file"
              accept=".txt,text/plain"
              hidden
              data-testid="channel-file"
              onChange={(event) => {
                void take(event.target.files?.[0])
                event.target.value = ''
              }}
            />
          </div>
          <p className="mt-1 text-12 text-muted">{t('rules')}</p>
          {fileError && (
            <p role="alert" className="mt-1 text-12 text-bad-text">
              {fileError}
              {!isBlank && ` (${t('kept')})`}
            </p>
          )}
        </div>
        <Section
          plain
          title={t('content')}
          actions={
            errors.length > 0 ? (
              <span className="text-12 text-bad-text">{t('lines', { count: errors.length })}</span>
            ) : isBlank ? (
              <Button size="small" variant="quiet" onPress={() => onChange({ ...draft, text: EXAMPLE[language] })}>
                {t('example')}
              </Button>
            ) : undefined
          }
        >
          <div className="px-5 pb-3">
            <ChannelEditor
              label={t('content')}
              value={text}
              onChange={(next) => onChange({ ...draft, text: next })}
              errors={errors}
              handle={editor}
            />
            <p className="mt-1.5 text-12 text-muted">{t('editHint')}</p>
          </div>
        </Section>
        {answer.error && !isBlank && (
          <p role="alert" className="px-5 py-3 text-bad-text">
            {answer.error.message}
          </p>
        )}
        {errors.length > 0 && (
          <Section plain title={t('errors')}>
            <ul className="max-h-48 space-y-0.5 overflow-auto px-5 pb-3" aria-label={t('errors')}>
              {errors.map(({ line, item, key, message }) => (
                <li key={`${line}.${item}.${key}`} className="flex items-baseline gap-2">
                  <Icon of={CircleX} size={14} className="flex-none translate-y-0.5 text-bad-text" />
                  {line > 0 ? (
                    <button
                      type="button"
                      className="w-16 flex-none text-left text-brand-text hover:underline"
                      onClick={() => editor.current?.goTo(line, item)}
                    >
                      {t('line', { line })}
                    </button>
                  ) : (
                    <span className="w-16 flex-none">{t('file')}</span>
                  )}
                  <span className="min-w-0">{message}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {preview && !wrongFile && (
          <>
            <Section plain title={t('happens')}>
              <dl className="grid grid-cols-5 gap-x-4 px-5">
                {(['added', 'renamed', 'moved', 'unchanged'] as const).map((what) => (
                  <Figure key={what} name={t(what)} value={preview[what]} />
                ))}
                <Figure name={t('wrong')} value={errors.length} isBad={errors.length > 0} />
              </dl>
              <p className="px-5 pt-1 pb-3 text-12 text-muted">{t('stay')}</p>
              {preview.changes.length > 0 && (
                <ul className="max-h-32 overflow-auto px-5 pb-3 text-12" aria-label={t('changes')}>
                  {preview.changes.map(({ key, before, after }) => (
                    <li key={key} className="flex items-baseline gap-2">
                      <code className="text-clip-line w-32 flex-none">{key}</code>
                      <span className="min-w-0">
                        <span className="text-muted">{before}</span> → {after}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
            {preview.groups.length > 0 && (
              <Section plain title={t('groups')} note={preview.groups.length}>
                <ul className="max-h-56 space-y-1.5 overflow-auto px-5 pb-3">
                  {preview.groups.map(({ line, name, count: items, known }) => (
                    <li key={line} className="flex items-center gap-2">
                      <span className="w-16 flex-none text-12 text-muted">{t('line', { line })}</span>
                      <TextField
                        label={t('groupOf', { line })}
                        hideLabel
                        value={names[firstKey(line)] ?? name}
                        onChange={(next) => onChange({ ...draft, names: { ...names, [firstKey(line)]: next } })}
                        maxLength={64}
                        autoComplete="off"
                        className="min-w-0 flex-1"
                      />
                      <span className="w-28 flex-none text-right text-12 text-muted">
                        {t('items', { count: items })}
                        {!known && ` · ${t('newGroup')}`}
                      </span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            {errors.length > 0 && count > 0 && (
              <div className="px-5 py-3">
                <Checkbox isSelected={skip} onChange={(next) => onChange({ ...draft, skip: next })}>
                  {t('skip', { wrong: errors.length, count })}
                </Checkbox>
              </div>
            )}
          </>
        )}
      </div>
    </Drawer>
  )
}

function Figure({ name, value, isBad = false }: { name: string; value: number; isBad?: boolean }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-12 text-muted">{name}</dt>
      <dd className={`text-20 tabular-nums ${isBad ? 'text-bad-text' : ''}`}>{formatExact(value)}</dd>
    </div>
  )
}

/** The value once it has not changed for a while; equal content is the same value. */
function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return settled
}
