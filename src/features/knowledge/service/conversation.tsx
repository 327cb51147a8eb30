import { Check, Circle, Flag, LoaderCircle, Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import { downloadServiceAttachment, type ServiceAttachment, type ServiceEntry } from '#contracts/http/service.ts'
import { SERVICE_URGENCIES, type ServiceState } from '#domain/service-requests.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { type Language, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import type { ServiceText } from './request-words.ts'
import { serviceTexts } from './service-texts.ts'

const STEPS = ['submitted', 'accepted', 'progress', 'solved', 'closed'] as const
const STEP_TEXTS = {
  submitted: 'stepSubmitted',
  accepted: 'stepAccepted',
  progress: 'stepProgress',
  solved: 'stepSolved',
  closed: 'stepClosed',
} as const

/** The way of a request since it was submitted, or last reopened: what it passed, where it is, what is to come. */
export function Steps({ entries, state }: { entries: readonly ServiceEntry[]; state: ServiceState }) {
  const t = useTexts(serviceTexts)
  const from = entries.findLastIndex(({ move }) => move === 'create' || move === 'reopen')
  const passed = new Set(entries.slice(Math.max(0, from)).map((one) => stepOf(one.state)))
  const current = stepOf(state)
  return (
    <ol aria-label={t('steps')} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13">
      {STEPS.map((step, at) => {
        const isCurrent = step === current
        const isPassed = passed.has(step) && (!isCurrent || step === 'closed')
        return (
          <li key={step} aria-current={isCurrent ? 'step' : undefined} className="flex items-center gap-2">
            {at > 0 && <span aria-hidden className="h-px w-6 bg-line-strong max-xl:w-3" />}
            <span className={`inline-flex items-center gap-1 ${isCurrent ? 'font-semibold' : 'text-muted'}`}>
              <Icon
                of={isPassed ? Check : isCurrent ? LoaderCircle : Circle}
                size={14}
                className={isPassed ? 'text-good-text' : isCurrent ? 'text-brand-text' : 'text-faint'}
              />
              {t(STEP_TEXTS[step])}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const stepOf = (state: ServiceState) => (state === 'waiting' ? 'progress' : state)

/** The conversation, oldest first: messages with their files, and changes of state as lines between them. */
export function Conversation({ entries }: { entries: readonly ServiceEntry[] }) {
  const t = useTexts(serviceTexts)
  return (
    <ol aria-label={t('conversation')}>
      {entries.map((entry) => (
        <li key={entry.id} className="border-b px-5 py-3 last:border-b-0 max-lg:px-4">
          {entry.text === '' && entry.attachments.length === 0 ? <Step entry={entry} /> : <Message entry={entry} />}
        </li>
      ))}
    </ol>
  )
}

function Step({ entry }: { entry: ServiceEntry }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 pl-9.5 text-12 text-muted">
      <Icon of={Flag} size={12} className="self-center" />
      <Stamp at={entry.at} />
      <span title={entry.author}>{shortAccount(entry.author)}</span>
      <span>{moveWord(entry, t, language)}</span>
    </p>
  )
}

function Message({ entry }: { entry: ServiceEntry }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const did = moveWord(entry, t, language)
  return (
    <article className="flex gap-3">
      <Avatar name={shortAccount(entry.author)} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-semibold" title={entry.author}>
            {shortAccount(entry.author)}
          </span>
          {entry.side === 'service' && <Chip>{t('serviceSide')}</Chip>}
          <span className="text-12 text-muted">
            <Stamp at={entry.at} />
          </span>
          {did && <span className="text-12 text-muted">{did}</span>}
        </p>
        {entry.text && <p className="mt-1 leading-6 [overflow-wrap:anywhere] whitespace-pre-wrap">{entry.text}</p>}
        {entry.attachments.length > 0 && (
          <ul aria-label={t('attachments')} className="mt-2 flex flex-wrap gap-2">
            {entry.attachments.map((file) => (
              <li key={file.id} className="min-w-0">
                <File file={file} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </article>
  )
}

const FILE = 'inline-flex max-w-full min-w-0 items-center gap-1.5 rounded-small border px-2 py-1 text-12'

function File({ file }: { file: ServiceAttachment }) {
  const t = useTexts(serviceTexts)
  const name: ReactNode = (
    <>
      <Icon of={Paperclip} size={12} className="text-muted" />
      <span className="text-clip-line min-w-0">{file.name}</span>
    </>
  )
  if (!file.kept)
    return (
      <span className={`${FILE} text-muted`}>
        {name}
        <span className="flex-none">{t('gone')}</span>
      </span>
    )
  return (
    <a
      href={downloadHref(downloadServiceAttachment, { id: file.id })}
      download
      title={t('download', { name: file.name })}
      className={`${FILE} hover:bg-hover`}
    >
      {name}
      <span className="flex-none text-muted">{formatBytes(file.size)}</span>
    </a>
  )
}

function Stamp({ at }: { at: number }) {
  const zone = usePlatform((state) => state.zone)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at, zone)} className="num">
      {formatDateTime(at, zone, 'minute', Date.now())}
    </time>
  )
}

/** What an entry did besides what it says; '' for a message alone. */
function moveWord({ move, urgency }: ServiceEntry, t: ServiceText, language: Language): string {
  const word = urgency ? SERVICE_URGENCIES[urgency][language].toLowerCase() : ''
  switch (move) {
    case null:
      return ''
    case 'create':
      return t('didCreate', { urgency: word })
    case 'accept':
      return urgency ? t('didAcceptAs', { urgency: word }) : t('didAccept')
    case 'start':
      return t('didStart')
    case 'ask':
      return t('didAsk')
    case 'answer':
      return t('didAnswer')
    case 'solve':
      return t('didSolve')
    case 'confirm':
      return t('didConfirm')
    case 'return':
      return t('didReturn')
    case 'withdraw':
      return t('didWithdraw')
    case 'close':
      return t('didClose')
    case 'reopen':
      return t('didReopen')
  }
}
