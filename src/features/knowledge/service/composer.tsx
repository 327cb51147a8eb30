import { Send } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  ATTACHMENT_LIMITS,
  addServiceMessage,
  moveServiceRequest,
  SERVICE_TEXT,
  type serviceContact,
  serviceRequest,
  serviceRequests,
} from '#contracts/http/service.ts'
import {
  SERVICE_MOVES,
  SERVICE_URGENCIES,
  SERVICE_URGENCY_NAMES,
  type ServiceMove,
  type ServiceUrgency,
} from '#domain/service-requests.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { AttachButton, AttachmentChips, pastedFiles } from './attachment-picker.tsx'
import { serviceTexts } from './service-texts.ts'
import { useAttachments } from './use-attachments.ts'

type Shown = ResponseOf<typeof serviceRequest>
type Move = Exclude<ServiceMove, 'answer'>

/** What the reader may do with a request: write, with files, and change its state; a move that takes words takes those that were written. */
export function Composer({ shown, contact }: { shown: Shown; contact: ResponseOf<typeof serviceContact> | undefined }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const { data, moves, answers } = shown
  const [text, setText] = useState('')
  const [isService, setService] = useState(!data.own)
  const [urgency, setUrgency] = useState<ServiceUrgency>(data.urgency)
  const files = useAttachments()
  const done = {
    refreshes: [serviceRequest, serviceRequests],
    onSuccess: () => {
      setText('')
      files.clear()
    },
  }
  const message = useAction(addServiceMessage, done)
  const change = useAction(moveServiceRequest, done)
  const isBusy = message.isPending || change.isPending || files.sending !== null
  const words = text.trim()
  const isClosed = data.state === 'closed'
  const attachments = files.files.map(({ id }) => id)
  const send = () => {
    if (words === '' || isBusy || isClosed) return
    message.mutate({ body: { id: data.id, text: words, attachments, service: answers && isService } })
  }
  const make = async (move: Move) => {
    if (move === 'withdraw' || move === 'close') {
      const question = { title: t(move), text: t(move === 'close' ? 'closeText' : 'withdrawText'), action: t(move) }
      if (!(await confirm(question))) return
    }
    const body = { id: data.id, move, text: words, attachments, version: data.version }
    change.mutate({ body: { ...body, ...(move === 'accept' && urgency !== data.urgency && { urgency }) } })
  }
  if (isClosed && moves.length === 0) return <p className="border-t px-5 py-3 text-12 text-muted">{t('closedNote')}</p>
  return (
    <form
      className="flex-none space-y-2 border-t px-5 py-3 max-lg:px-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        send()
      }}
      onPaste={(event) => {
        const pasted = pastedFiles(event.clipboardData)
        if (pasted.length === 0) return
        event.preventDefault()
        files.add(pasted)
      }}
    >
      <TextField
        label={t('write')}
        hideLabel
        rows={3}
        maxLength={SERVICE_TEXT.message}
        placeholder={t(isClosed ? 'placeholderReopen' : 'placeholder')}
        value={text}
        onChange={setText}
      />
      <AttachmentChips of={files} />
      <div className="flex flex-wrap items-center gap-2">
        <AttachButton of={files} />
        {answers && data.own && !isClosed && (
          <Switch isSelected={isService} onChange={setService}>
            {t('asService')}
          </Switch>
        )}
        <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {moves.includes('accept') && (
            <Select
              label={t('acceptAs')}
              prefix
              value={urgency}
              onChange={setUrgency}
              items={SERVICE_URGENCY_NAMES.map((id) => ({ id, label: SERVICE_URGENCIES[id][language] }))}
              className="w-36"
            />
          )}
          {(moves as readonly Move[]).map((move) => {
            const isMissing = SERVICE_MOVES[move].words && words === ''
            return (
              <Button
                key={move}
                isDisabled={isBusy || isMissing}
                onPress={() => void make(move)}
                {...(isMissing && { title: t('wordsFirst') })}
              >
                {t(move)}
              </Button>
            )
          })}
          {!isClosed && (
            <Button type="submit" variant="primary" icon={Send} isDisabled={words === '' || isBusy}>
              {t('send')}
            </Button>
          )}
        </span>
      </div>
      {contact && (
        <p className="text-12 text-muted">
          {t('attachNote', {
            mb: ATTACHMENT_LIMITS.bytes / 2 ** 20,
            count: ATTACHMENT_LIMITS.message,
            days: contact.attachment_days,
          })}
        </p>
      )}
    </form>
  )
}
