import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { ATTACHMENT_KINDS } from '#contracts/http/service.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { serviceTexts } from './service-texts.ts'
import type { Attachments } from './use-attachments.ts'

const ACCEPTED = ATTACHMENT_KINDS.map((kind) => `.${kind}`).join(',')

/** The files that will go with a message, each with a way to take it off. */
export function AttachmentChips({ of }: { of: Attachments }) {
  const t = useTexts(serviceTexts)
  if (of.files.length === 0 && of.sending === null) return null
  return (
    <div className="flex flex-wrap items-center gap-1.5" aria-live="polite">
      {of.files.map(({ id, name, size }) => (
        <Chip key={id} tone="neutral" label={name} onRemove={() => of.remove(id)}>
          <span className="text-clip-line max-w-56" title={name}>
            {name}
          </span>
          <span className="pl-1">{formatBytes(size)}</span>
        </Chip>
      ))}
      {of.sending !== null && <span className="text-12 text-muted">{t('attaching', { name: of.sending })}</span>}
    </div>
  )
}

/** The button that chooses files. */
export function AttachButton({ of }: { of: Attachments }) {
  const t = useTexts(serviceTexts)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={t('attach')}
        icon={Paperclip}
        isDisabled={of.sending !== null}
        onPress={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t('attachments')}
        onChange={({ target }) => {
          of.add([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

/** Files of a paste or drop: screenshots get a name of their own. */
export function pastedFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])]
}
