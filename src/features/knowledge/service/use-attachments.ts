import { useEffect, useRef, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import {
  ATTACHMENT_LIMITS,
  dropServiceAttachment,
  type ServiceAttachment,
  uploadServiceAttachment,
} from '#contracts/http/service.ts'
import { call } from '#src/shared/api/call.ts'
import { randomBytes } from '#src/shared/api/gm-browser.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { formBody } from '#src/shared/upload/form-body.ts'
import { sendBytes } from '#src/shared/upload/send-bytes.ts'
import { serviceTexts } from './service-texts.ts'

export type Attachments = {
  files: readonly ServiceAttachment[]
  /** Name of the file that goes up, or null. */
  sending: string | null
  add: (files: readonly File[]) => void
  remove: (id: string) => void
  /** They went with a message. */
  clear: () => void
}

/** Files for one message: each goes up when it is chosen, one after the other; what is taken off again is deleted on the server. */
export function useAttachments(): Attachments {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const [files, setFiles] = useState<readonly ServiceAttachment[]>([])
  const [sending, setSending] = useState<string | null>(null)
  const stop = useRef<AbortController>(undefined)
  const isSending = useRef(false)
  useEffect(() => () => stop.current?.abort(), [])

  async function add(chosen: readonly File[]): Promise<void> {
    if (isSending.current || chosen.length === 0) return
    const room = ATTACHMENT_LIMITS.message - files.length
    if (chosen.length > room) toast.warn(t('attachMost', { count: ATTACHMENT_LIMITS.message }))
    const aborter = new AbortController()
    stop.current = aborter
    isSending.current = true
    try {
      for (const file of chosen.slice(0, room)) {
        // Said at once: packages may have hundreds of megabytes, which the server would refuse at their end.
        if (file.size > ATTACHMENT_LIMITS.bytes) {
          const limit = ATTACHMENT_LIMITS.bytes / 2 ** 20
          toast.warn(errorText('service.attachment_size', language, { limit }), { detail: file.name })
          continue
        }
        setSending(file.name)
        const content = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
        const { contentType, bytes } = formBody({}, content, randomBytes(12))
        const { body } = await sendBytes({
          method: 'POST',
          target: uploadServiceAttachment.path,
          headers: { 'content-type': contentType },
          body: bytes,
          signal: aborter.signal,
        })
        setFiles((before) => [...before, body['data'] as ServiceAttachment])
      }
    } catch (error) {
      if (!aborter.signal.aborted) toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      isSending.current = false
      setSending(null)
    }
  }

  return {
    files,
    sending,
    add: (chosen) => void add(chosen),
    remove(id) {
      setFiles((before) => before.filter((one) => one.id !== id))
      // Unsent files go by themselves after a day.
      void call(dropServiceAttachment, { body: { id } }, { quiet: true }).catch(() => undefined)
    },
    clear: () => setFiles([]),
  }
}
