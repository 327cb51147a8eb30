import { Bell } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { jobTexts } from '#src/shared/ui/job-texts.ts'
import { Popover } from '#src/shared/ui/popover.tsx'
import { SETTLED_MS } from './settled.ts'

const BellPanel = lazy(() => import('#src/features/start/notifications/bell-panel.tsx'))
const loadWatch = () => import('#src/features/start/notifications/bell-watch.tsx')
type Watch = Awaited<ReturnType<typeof loadWatch>>['default']

/** The bell: unread notifications as a count, and a dot while work of this account runs or has ended since the bell was opened. */
export function Notifications() {
  const t = useTexts(jobTexts)
  const [isOpen, setOpen] = useState(false)
  const [unread, setUnread] = useState(0)
  const [work, setWork] = useState(0)
  const [seenAt, setSeenAt] = useState(() => Date.now())
  const [watch, setWatch] = useState<{ Watch: Watch }>()
  useEffect(() => {
    let isGone = false
    const load = async () => {
      try {
        const { default: Watch } = await loadWatch()
        if (!isGone) setWatch({ Watch })
      } catch {
        // The service is away, perhaps for an update: the page stays, and the file is asked for again.
        if (!isGone) timer = setTimeout(load, SETTLED_MS)
      }
    }
    let timer = setTimeout(load, SETTLED_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [])
  const label = [t('notices'), unread > 0 && t('unread', { count: unread }), work > 0 && t('work', { count: work })]
  return (
    <>
      {watch && <watch.Watch onUnread={setUnread} onWork={setWork} seenAt={seenAt} />}
      <Popover
        label={t('notices')}
        placement="bottom end"
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open)
          setSeenAt(Date.now())
        }}
        trigger={<IconButton label={label.filter(Boolean).join(' · ')} icon={Bell} badge={unread} dot={work > 0} />}
      >
        <div className="min-h-40 w-[400px] max-w-full">
          <h2 className="border-b px-4 py-2.5 text-14 font-semibold">{t('notices')}</h2>
          <Suspense>
            <BellPanel onClose={() => setOpen(false)} />
          </Suspense>
        </div>
      </Popover>
    </>
  )
}
