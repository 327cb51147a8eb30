import { CircleCheck, CircleX, Package, Pause, Play, RotateCw, X } from 'lucide-react'
import { Link } from 'react-router-dom'
import { FORM_BYTES } from '#contracts/http/assets.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { uploadPercent } from '#src/shared/upload/upload-percent.ts'
import { uploadTexts } from './asset-texts.ts'
import { filePath } from './file-path.ts'
import { dropItem, pauseUpload, resumeUpload, setUploads, type UploadItem } from './upload-queue.ts'

/** One file of the dialog: what happens to it, how far it is, and what can be done about it. */
export function UploadRow({ item }: { item: UploadItem }) {
  const t = useTexts(uploadTexts)
  const { id, file, state, sent, result, error } = item
  const percent = uploadPercent(sent, file.size, state === 'done')
  const moving = state === 'uploading' || state === 'checking'
  const icon = state === 'done' ? CircleCheck : state === 'failed' ? CircleX : Package
  const tone = state === 'done' ? 'text-good-text' : state === 'failed' ? 'text-bad-text' : 'text-muted'
  return (
    <li className="border-b py-3 last:border-0" data-state={state}>
      <div className="flex items-center gap-2.5">
        <Icon of={icon} className={tone} />
        <span className="text-clip-line min-w-0 flex-1" title={file.name}>
          {result ? (
            <Link
              to={filePath(result.id)}
              aria-label={t('openFile', { name: file.name })}
              onClick={() => setUploads({ isOpen: false })}
              className="text-brand-text hover:underline"
            >
              {file.name}
            </Link>
          ) : (
            file.name
          )}
        </span>
        <span className="text-12 text-muted">{formatBytes(file.size)}</span>
        <span className={`w-11 text-right ${state === 'failed' ? 'text-bad-text' : ''}`}>
          {state === 'failed' ? t('failedWord') : `${percent}%`}
        </span>
        <span className="flex w-14 justify-end">
          {moving && file.size > FORM_BYTES && state === 'uploading' && (
            <IconButton
              size="small"
              icon={Pause}
              label={t('pause', { name: file.name })}
              onPress={() => pauseUpload(id)}
            />
          )}
          {state === 'paused' && (
            <IconButton
              size="small"
              icon={Play}
              label={t('resume', { name: file.name })}
              onPress={() => resumeUpload(id)}
            />
          )}
          {state === 'failed' && (
            <IconButton
              size="small"
              icon={RotateCw}
              label={t('retry', { name: file.name })}
              onPress={() => resumeUpload(id)}
            />
          )}
          <IconButton
            size="small"
            icon={X}
            label={t(state === 'done' || state === 'failed' ? 'dismiss' : 'cancel', { name: file.name })}
            onPress={() => dropItem(id)}
          />
        </span>
      </div>
      <div className={`pr-14 pl-6.5 text-12 ${state === 'failed' ? 'text-bad-text' : 'text-muted'}`}>
        <UploadStatus item={item} />
        {(moving || state === 'paused') && (
          <div className="pt-1.5">
            <ProgressBar value={percent / 100} label={file.name} />
          </div>
        )}
      </div>
      {error === '' ? null : <span className="sr-only" role="alert">{`${file.name} ${error}`}</span>}
    </li>
  )
}

function UploadStatus({ item: { state, file, sent, speed, error, result } }: { item: UploadItem }) {
  const t = useTexts(uploadTexts)
  if (state === 'waiting') return t('waiting')
  if (state === 'checking') return t('checking')
  if (state === 'paused') return t('paused', { sent: formatBytes(sent) })
  if (state === 'failed') return error ? t('failedFor', { reason: error }) : t('failed')
  if (state === 'done') {
    const md5 = result ? `${result.md5.slice(0, 4)}…${result.md5.slice(-4)}` : ''
    return <span title={result?.md5}>{t(result?.existing ? 'existing' : 'done', { md5 })}</span>
  }
  if (speed <= 0) return t('begun', { sent: formatBytes(sent) })
  return t('sent', {
    sent: formatBytes(sent),
    speed: formatBytes(Math.round(speed)),
    left: formatDuration(Math.max(1000, ((file.size - sent) / speed) * 1000)),
  })
}
