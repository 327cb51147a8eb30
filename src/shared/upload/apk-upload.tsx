import { CircleCheck, CircleX, CloudUpload } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import { loadApplications } from '../account/load-applications.ts'
import { formatBytes } from '../format/number.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { ForbiddenState } from '../ui/forbidden-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { toast } from '../ui/toast.ts'
import { apkTexts } from './apk-texts.ts'
import { type UploadedFile, uploadPackage } from './upload-package.ts'
import { uploadPercent } from './upload-percent.ts'

/** The new file is kept this long after its success (APP-04). */
const KEPT_AFTER_MS = 600

type State =
  | { kind: 'idle' }
  | { kind: 'uploading'; file: File; sent: number }
  | { kind: 'success'; file: File; uploaded: UploadedFile }
  | { kind: 'failure'; file: File; reason: string }

/** Creation by upload (mode 2): one .apk at a time. `onKept` receives the file 600 ms after its success, and null when another begins. */
export default function ApkUpload({ onKept }: { onKept: (file: UploadedFile | null) => void }) {
  const mayUpload = useMay('asset.upload')
  if (!mayUpload) return <ForbiddenState permission="asset.upload" />
  return <Upload onKept={onKept} />
}

function Upload({ onKept }: { onKept: (file: UploadedFile | null) => void }) {
  const t = useTexts(apkTexts)
  const language = useLanguage()
  const id = useId()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const [over, setOver] = useState(false)
  const stop = useRef<AbortController>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      stop.current?.abort()
      clearTimeout(timer.current)
    },
    [],
  )

  async function upload(files: readonly File[]): Promise<void> {
    const [file] = files
    if (!file || state.kind === 'uploading') return
    if (files.length > 1) return void toast.error(t('one'))
    if (!/\.apk$/i.test(file.name)) return void toast.error(errorText('asset.only_apk', language))
    clearTimeout(timer.current)
    onKept(null)
    const aborter = new AbortController()
    stop.current = aborter
    setState({ kind: 'uploading', file, sent: 0 })
    try {
      const uploaded = await uploadPackage(file, {
        create: true,
        signal: aborter.signal,
        onSent: (sent) => setState({ kind: 'uploading', file, sent }),
      })
      setState({ kind: 'success', file, uploaded })
      timer.current = setTimeout(() => onKept(uploaded), KEPT_AFTER_MS)
      await loadApplications()
    } catch (error) {
      if (!aborter.signal.aborted)
        setState({ kind: 'failure', file, reason: error instanceof Error ? error.message : String(error) })
    }
  }

  const busy = state.kind === 'uploading'
  return (
    <div className="mt-4">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard's way is the file input inside */}
      <div
        className={`flex items-center justify-center gap-4 rounded border border-dashed px-4 py-6 ${over ? 'border-brand bg-selected' : 'border-line-strong bg-canvas'}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!busy)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void upload([...event.dataTransfer.files])
        }}
      >
        <Icon of={CloudUpload} size={20} className="text-brand-text" />
        <div>
          <div>
            {t('drop')}
            <label
              htmlFor={id}
              className={`font-semibold focus-within:underline ${busy ? 'text-muted' : 'cursor-pointer text-brand-text'}`}
            >
              {t('choose')}
              <input
                id={id}
                type="file"
                accept=".apk"
                disabled={busy}
                className="sr-only"
                onChange={({ target }) => {
                  void upload([...(target.files ?? [])])
                  target.value = '' // the same file may be chosen again
                }}
              />
            </label>
          </div>
          <div className="text-12 text-muted">{t('hint')}</div>
        </div>
      </div>
      <div aria-live="polite" className="pt-3">
        {state.kind !== 'idle' && <Progress state={state} />}
      </div>
    </div>
  )
}

function Progress({ state }: { state: Exclude<State, { kind: 'idle' }> }) {
  const t = useTexts(apkTexts)
  const { file } = state
  const percent =
    state.kind === 'failure'
      ? 0
      : uploadPercent(state.kind === 'uploading' ? state.sent : file.size, file.size, state.kind === 'success')
  const icon = state.kind === 'success' ? CircleCheck : state.kind === 'failure' ? CircleX : CloudUpload
  const tone = state.kind === 'success' ? 'text-good-text' : state.kind === 'failure' ? 'text-bad-text' : 'text-muted'
  return (
    <div data-state={state.kind}>
      <div className="flex items-center gap-2.5">
        <Icon of={icon} className={tone} />
        <span className="text-clip-line min-w-0 flex-1">{file.name}</span>
        <span className="text-12 text-muted">{formatBytes(file.size)}</span>
        <span className="w-11 text-right">{`${percent}%`}</span>
      </div>
      <div className="py-1.5 pl-6.5">
        <ProgressBar value={percent / 100} label={file.name} />
      </div>
      <div className={`pl-6.5 text-12 ${tone}`}>
        {state.kind === 'uploading'
          ? t(percent >= 90 ? 'checking' : 'uploading')
          : state.kind === 'failure'
            ? t('failed', { reason: state.reason })
            : t(state.uploaded.existing ? 'existing' : 'done', {
                name: state.uploaded.application,
                version: state.uploaded.version,
              })}
      </div>
    </div>
  )
}
