import { Lock } from 'lucide-react'
import { toBase64url } from '#engines/gm/bytes.ts'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { componentTexts } from '../component-texts.ts'
import type { LiveTestState } from './live-test-state.ts'

const SHOWN = 480
const PRE = 'max-h-56 overflow-auto rounded border bg-code px-3 py-2 text-12/[18px] break-all whitespace-pre-wrap'

/** What an observer between browser and gateway sees of the request and its answer. */
export function WireView({ state }: { state: LiveTestState | null }) {
  const t = useTexts(componentTexts)
  if (!state?.request) return <p className="px-5 py-6 text-muted">{t('nothingYet')}</p>
  const { path, message } = state.request
  const text = toBase64url(message)
  return (
    <div className="space-y-3 px-5 py-3">
      <Block title={t('head')}>
        {`POST ${path}\ncontent-type: ${SESSION_HTTP.mediaType}\ncontent-length: ${message.length}`}
      </Block>
      <Block title={t('cipher')} note={t('cipherBytes', { bytes: message.length })}>
        {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
      </Block>
      {state.reply && (
        <Block
          title={t('answerHead')}
          note={t('cipherBytes', { bytes: Math.floor((state.reply.body.length * 3) / 4) })}
        >
          {`${state.reply.status}\ncontent-type: ${state.reply.content_type}\n\n${state.reply.body.slice(0, SHOWN / 2)}${state.reply.body.length > SHOWN / 2 ? '…' : ''}`}
        </Block>
      )}
    </div>
  )
}

/** The same, opened. */
export function PlainView({ state }: { state: LiveTestState | null }) {
  const t = useTexts(componentTexts)
  if (!state?.request) return <p className="px-5 py-6 text-muted">{t('nothingYet')}</p>
  const { path, query, plaintext } = state.request
  return (
    <div className="space-y-3 px-5 py-3">
      <p className="flex items-center gap-1.5 text-12 text-good-text">
        <Icon of={Lock} size={14} />
        {t('inside')}
      </p>
      <Block title={`POST ${path}${query === '' ? '' : `?${query}`}`}>{plaintext}</Block>
      {state.answer !== undefined && (
        <Block title={`${t('answerHead')} ${state.reply?.status ?? ''}`}>{indented(state.answer)}</Block>
      )}
    </div>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function Block({ title, note, children }: { title: string; note?: string; children: string }) {
  return (
    <figure>
      <figcaption className="mb-1 flex justify-between gap-3 text-12 text-muted">
        <span className="min-w-0 break-all">{title}</span>
        {note && <span className="flex-none">{note}</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
      <pre tabIndex={0} className={PRE}>
        {children}
      </pre>
    </figure>
  )
}
