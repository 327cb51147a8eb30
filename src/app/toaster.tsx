import { CircleCheck, CircleX, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { defineTexts, useTexts } from '../shared/i18n/texts.ts'
import { Icon } from '../shared/ui/icon.tsx'
import { type ToastItem, toast, useToasts } from '../shared/ui/toast.ts'

const texts = defineTexts('ui-toast', { close: { zh: '关闭', en: 'Close' }, notices: { zh: '提示', en: 'Notices' } })
const LOOKS = {
  success: { icon: CircleCheck, color: 'text-good-text' },
  error: { icon: CircleX, color: 'text-bad-text' },
  warn: { icon: TriangleAlert, color: 'text-warn-text' },
  info: { icon: Info, color: 'text-brand-text' },
} as const

/** Shows the notices of toast.ts; mounted once, by the application's root. Plain elements, since the login page uses it too. */
export function Toaster() {
  const t = useTexts(texts)
  const items = useToasts((state) => state.items)
  return (
    <section
      aria-label={t('notices')}
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-[340px] max-w-[calc(100vw-32px)] flex-col gap-2 max-sm:top-4 max-sm:bottom-auto"
    >
      {items.map((item) => (
        <Notice key={item.id} {...item} close={t('close')} />
      ))}
    </section>
  )
}

function Notice({ id, tone, text, title, detail, action, ms, close }: ToastItem & { close: string }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held || !Number.isFinite(ms)) return
    const timer = setTimeout(() => toast.close(id), ms)
    return () => clearTimeout(timer)
  }, [held, id, ms])
  const { icon, color } = LOOKS[tone]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the clock
    <div
      role={tone === 'error' || tone === 'warn' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pop pointer-events-auto flex items-start gap-2.5 rounded bg-raised py-2.5 pr-2 pl-3 shadow-raised"
    >
      <Icon of={icon} className={`mt-0.5 ${color}`} />
      <div className="min-w-0 flex-1 break-words">
        {title && <div className="font-semibold">{title}</div>}
        <div>{text}</div>
        {detail && <div className="text-12 text-muted">{detail}</div>}
      </div>
      {action && (
        <button
          type="button"
          className="flex-none rounded-small px-1 font-semibold text-brand-text hover:bg-hover"
          onClick={() => {
            toast.close(id)
            action.onPress()
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={close}
        onClick={() => toast.close(id)}
        className="-mt-0.5 flex size-6 flex-none items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text"
      >
        <Icon of={X} size={14} />
      </button>
    </div>
  )
}
