import { useEffect, useRef, useState } from 'react'
import { OWN_ARTICLE_LIMITS, uploadArticleImage } from '#contracts/http/own-articles.ts'
import { randomBytes } from '#src/shared/api/gm-browser.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { formBody } from '#src/shared/upload/form-body.ts'
import { sendBytes } from '#src/shared/upload/send-bytes.ts'
import { ownArticlesTexts } from './own-articles-texts.ts'

const KINDS = ['image/png', 'image/jpeg', 'image/webp']
export const IMAGE_ACCEPT = KINDS.join(',')

export type ImageUpload = {
  /** The image that goes up, with the share that went out. */
  sending: { name: string; share: number } | null
  /** Why images were not taken. */
  failures: readonly string[]
  add: (files: readonly File[]) => void
  dismiss: () => void
}

/** Images go up one after the other; each is handed to `insert` when the server has it. */
export function useImageUpload(insert: (image: { id: string; name: string }) => void): ImageUpload {
  const t = useTexts(ownArticlesTexts)
  const [sending, setSending] = useState<ImageUpload['sending']>(null)
  const [failures, setFailures] = useState<readonly string[]>([])
  const waiting = useRef<File[]>([])
  const isSending = useRef(false)
  const stop = useRef<AbortController>(undefined)
  const latest = useRef(insert)
  useEffect(() => {
    latest.current = insert
  })
  useEffect(() => () => stop.current?.abort(), [])

  async function send(file: File, signal: AbortSignal): Promise<void> {
    if (!KINDS.includes(file.type)) throw new Error(t('notImage'))
    const limit = OWN_ARTICLE_LIMITS.imageBytes
    if (file.size > limit) throw new Error(t('tooLarge', { limit: limit / 2 ** 20 }))
    setSending({ name: file.name, share: 0 })
    const content = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
    const { contentType, bytes } = formBody({}, content, randomBytes(12))
    const { body } = await sendBytes({
      ...{ method: 'POST' as const, target: uploadArticleImage.path, headers: { 'content-type': contentType } },
      ...{ body: bytes, signal },
      onSent: (sent) => setSending({ name: file.name, share: sent / bytes.length }),
    })
    latest.current({ id: String(body['id']), name: file.name })
  }

  async function work(): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    const aborter = new AbortController()
    stop.current = aborter
    for (let file = waiting.current.shift(); file; file = waiting.current.shift()) {
      const { name } = file
      try {
        await send(file, aborter.signal)
      } catch (error) {
        if (aborter.signal.aborted) break
        const reason = error instanceof Error ? error.message : String(error)
        setFailures((before) => [...before, t('uploadFailed', { name, reason })])
      }
    }
    isSending.current = false
    setSending(null)
  }

  return {
    sending,
    failures,
    add(files) {
      if (files.length === 0) return
      setFailures([])
      waiting.current.push(...files)
      void work()
    },
    dismiss: () => setFailures([]),
  }
}
