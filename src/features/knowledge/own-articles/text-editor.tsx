import { Bold, Code, Heading2, ImagePlus, Link2, List, Table2 } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, type RefObject, useId, useRef, useState } from 'react'
import { OWN_ARTICLE_LIMITS } from '#contracts/http/own-articles.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { FIELD_BOX } from '#src/shared/ui/field.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'
import { IMAGE_ACCEPT, useImageUpload } from './use-image-upload.ts'

/** Markdown with a small toolbar; images by button, drop and paste. What is inserted can be undone by the browser. */
export function TextEditor({
  value,
  onChange,
  field,
}: {
  value: string
  onChange: (value: string) => void
  field: RefObject<HTMLTextAreaElement | null>
}) {
  const t = useTexts(ownArticlesTexts)
  const label = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  /** Puts text in place of what is selected, as typing does; `select` is the part of it that is selected then. */
  function insert(text: string, select?: string): void {
    const area = field.current
    if (!area) return
    area.focus()
    const start = area.selectionStart
    // The one way that keeps the browser's own undo; where it is missing the text is set without it.
    if (!document.execCommand('insertText', false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
      onChange(area.value)
    }
    const at = select ? text.indexOf(select) : -1
    if (select && at >= 0) area.setSelectionRange(start + at, start + at + select.length)
  }
  const around = (mark: string) => {
    const chosen = selected() || t('sampleText')
    insert(`${mark}${chosen}${mark}`, chosen)
  }
  const selected = () => {
    const area = field.current
    return area ? area.value.slice(area.selectionStart, area.selectionEnd) : ''
  }
  /** A block of its own: with an empty line before and after. */
  const insertBlock = (text: string, select?: string) => {
    const area = field.current
    if (!area) return
    const before = area.value.slice(0, area.selectionStart)
    const after = area.value.slice(area.selectionEnd)
    const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
    const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
    insert(`${lead}${text}${tail}`, select)
  }
  const upload = useImageUpload(({ id, name }) => {
    const alt = name
      .replace(/\.\w+$/, '')
      .replace(/[[\]\\\n]/g, ' ')
      .trim()
    // A pasted picture has a name of the browser, which says nothing.
    const text = alt === '' || alt === 'image' ? t('imageAlt') : alt
    // Below the line of the cursor: what is selected there may be the description of the image before.
    const area = field.current
    if (area) {
      const end = area.value.indexOf('\n', area.selectionEnd)
      const at = end < 0 ? area.value.length : end
      area.setSelectionRange(at, at)
    }
    insertBlock(`![${text}](image:${id})`, text)
  })
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    upload.add(files)
  }
  const bullets = () => {
    const lines = (selected() || t('sampleText')).split('\n')
    insertBlock(lines.map((line) => `- ${line}`).join('\n'), lines.length === 1 ? lines[0] : undefined)
  }
  const tools = [
    [
      Heading2,
      t('heading'),
      () => insertBlock(`## ${selected() || t('sampleHeading')}`, selected() || t('sampleHeading')),
    ],
    [Bold, t('bold'), () => around('**')],
    [List, t('bullets'), bullets],
    [Link2, t('link'), () => insert(`[${selected() || t('sampleText')}](https://)`, 'https://')],
    [Code, t('code'), () => (selected().includes('\n') ? insertBlock(`\`\`\`\n${selected()}\n\`\`\``) : around('`'))],
    [
      Table2,
      t('table'),
      () => insertBlock(`| ${t('sampleCell')} | ${t('sampleCell')} |\n| --- | --- |\n|  |  |`, t('sampleCell')),
    ],
  ] as const
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-1 pb-1">
        <span id={label} className="mr-auto text-13">
          {t('body')}
        </span>
        <div role="toolbar" aria-label={t('tools')} className="flex flex-wrap items-center">
          {tools.map(([icon, name, run]) => (
            <IconButton key={name} size="small" icon={icon} label={name} onPress={run} />
          ))}
          <IconButton
            size="small"
            icon={ImagePlus}
            label={t('image')}
            isDisabled={upload.sending !== null}
            onPress={() => input.current?.click()}
          />
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={IMAGE_ACCEPT}
          aria-label={t('image')}
          onChange={({ target }) => {
            upload.add([...(target.files ?? [])])
            target.value = ''
          }}
        />
      </div>
      <div className="relative flex min-h-80 flex-1">
        <textarea
          ref={field}
          aria-labelledby={label}
          value={value}
          maxLength={OWN_ARTICLE_LIMITS.body}
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
          onPaste={(event) => take(event, event.clipboardData)}
          onDragOver={(event) => {
            if (!event.dataTransfer.types.includes('Files')) return
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            setOver(false)
            take(event, event.dataTransfer)
          }}
          className={`${FIELD_BOX.replace('h-control ', '')} min-h-80 flex-1 resize-none py-2 font-mono text-13/[21px]`}
        />
        {isOver && (
          <span className="pointer-events-none absolute inset-0 flex items-center justify-center rounded border-2 border-dashed border-brand bg-selected font-semibold text-brand-text">
            {t('dropHere')}
          </span>
        )}
      </div>
      <div aria-live="polite" className="text-12">
        {upload.sending && (
          <div className="pt-1.5">
            <p className="mb-1 text-muted">{t('uploading', { name: upload.sending.name })}</p>
            <ProgressBar
              label={t('uploading', { name: upload.sending.name })}
              value={upload.sending.share < 1 ? upload.sending.share : null}
            />
          </div>
        )}
        {upload.failures.length > 0 && (
          <div className="mt-1.5 flex items-start gap-2 bg-bad-soft px-3 py-1.5 text-bad-text">
            <ul className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {upload.failures.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
            <Button size="small" variant="quiet" onPress={upload.dismiss}>
              {t('dismiss')}
            </Button>
          </div>
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 pt-1 text-12 text-muted">
        <span>{t('imageHint')}</span>
        <span className="ml-auto tabular-nums">
          {t('bodyCount', { count: value.length, most: OWN_ARTICLE_LIMITS.body.toLocaleString('en-US') })}
        </span>
      </p>
    </div>
  )
}
