import { useEffect, useState } from 'react'
import { userGroup } from '#contracts/http/accounts.ts'
import { call } from '#src/shared/api/call.ts'
import { idleSeconds, noteInput } from '#src/shared/api/last-input.ts'
import { signOut } from '#src/shared/api/session.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { useSession } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'

const texts = defineTexts('idle', {
  title: { zh: '即将自动退出', en: 'Signing out soon' },
  text: {
    zh: '长时间没有操作，将在 {{time}}后退出登录。',
    en: 'There was no input for a while. You will be signed out in {{time}}.',
  },
  stay: { zh: '继续使用', en: 'Stay signed in' },
  leave: { zh: '退出登录', en: 'Log out' },
})

const WARN_SECONDS = 120
const BROADCAST_EVERY_SECONDS = 10

/** Input in any tab of this browser counts for all of them: they are one session. */
function useSharedInput(): void {
  useEffect(() => {
    const channel = new BroadcastChannel('input')
    channel.onmessage = noteInput
    let broadcastAt = 0
    const timer = setInterval(() => {
      if (
        document.hidden ||
        idleSeconds() >= BROADCAST_EVERY_SECONDS ||
        Date.now() - broadcastAt < BROADCAST_EVERY_SECONDS * 1000
      )
        return
      broadcastAt = Date.now()
      channel.postMessage(null)
    }, 1000)
    return () => {
      clearInterval(timer)
      channel.close()
    }
  }, [])
}

/** Two minutes before the server ends an idle session, the console says so and offers to stay (decision 9). */
export function IdleWarning() {
  const t = useTexts(texts)
  const limit = useSession((state) => state.idleSeconds)
  const [left, setLeft] = useState<number | null>(null)
  const warned = left !== null
  useSharedInput()
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted from when the warning appeared
  useEffect(() => {
    // While the warning shows, moving the mouse by chance does not dismiss it: only the button does.
    const endsAt = warned ? Date.now() + (left as number) * 1000 : 0
    const timer = setInterval(() => {
      const rest = warned ? Math.round((endsAt - Date.now()) / 1000) : limit - idleSeconds()
      if (rest <= 0) void signOut()
      else if (warned || rest <= WARN_SECONDS) setLeft(rest)
    }, 1000)
    return () => clearInterval(timer)
  }, [warned, limit])
  if (left === null) return null
  return (
    <Dialog
      role="alertdialog"
      title={t('title')}
      isOpen
      onOpenChange={() => undefined}
      isDismissable={false}
      width={400}
      footer={
        <>
          <Button onPress={() => void signOut()}>{t('leave')}</Button>
          <Button
            variant="primary"
            autoFocus
            onPress={() => {
              noteInput()
              setLeft(null)
              void call(userGroup, {}).catch(() => undefined)
            }}
          >
            {t('stay')}
          </Button>
        </>
      }
    >
      <p>{t('text', { time: formatDuration(left * 1000) })}</p>
    </Dialog>
  )
}
