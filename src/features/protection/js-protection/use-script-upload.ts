import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import { type Script, scripts, uploadScript } from '#contracts/http/js-protection.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { uploadOnce } from '#src/shared/upload/upload-package.ts'
import { jsTexts } from './js-texts.ts'

export type ScriptUpload = { name: string; size: number; sent: number }

const NAME = /\.(js|mjs|cjs|zip)$/i

/** Uploads one script or archive in chunks and hands it over; it joins the current application. `onDone` gets the new script. */
export function useScriptUpload(onDone: (script: Script) => void) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const client = useQueryClient()
  const current = useApplications((state) => state.current)
  const appid = current === 'all' ? '' : current
  const [state, setState] = useState<ScriptUpload | null>(null)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  async function upload(file: File | undefined): Promise<void> {
    if (state) return
    if (!file) return void toast.error(errorText('script.none', language))
    if (!NAME.test(file.name)) return void toast.error(errorText('script.format', language))
    const aborter = new AbortController()
    stop.current = aborter
    const show = (sent: number) => setState({ name: file.name, size: file.size, sent })
    show(0)
    try {
      const { id } = await uploadOnce(file, { signal: aborter.signal, onSent: show })
      show(file.size)
      const { data } = await call(
        uploadScript,
        { body: { upload: id, ...(appid && { appid }) }, signal: aborter.signal },
        { quiet: true },
      )
      await client.invalidateQueries({ queryKey: endpointKey(scripts) })
      onDone(data)
    } catch (error) {
      if (!aborter.signal.aborted)
        toast.error(t('uploadFailed', { reason: error instanceof Error ? error.message : String(error) }))
    } finally {
      setState(null)
    }
  }

  return { state, upload: (file: File | undefined) => void upload(file), cancel: () => stop.current?.abort() }
}
