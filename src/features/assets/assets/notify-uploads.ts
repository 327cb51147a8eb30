import { formatExact } from '#src/shared/format/number.ts'
import { translate } from '#src/shared/i18n/texts.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { uploadTexts } from './asset-texts.ts'
import { onUploadsEnded, useUploads } from './upload-queue.ts'

let telling = false

/** From now on the end of uploads raises a notice wherever the user is by then, unless the dialog itself shows it. */
export function notifyUploads(): void {
  if (telling) return
  telling = true
  onUploadsEnded((items) => {
    if (useUploads.getState().isOpen) return
    const done = items.filter(({ state }) => state === 'done').length
    const failed = items.length - done
    if (failed > 0)
      toast.warn(translate(uploadTexts, 'endedFailed', { done: formatExact(done), failed: formatExact(failed) }))
    else toast.success(translate(uploadTexts, 'ended', { number: formatExact(done) }))
  })
}
