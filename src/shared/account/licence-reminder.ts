import { LICENCE_STATUS, licenseRemind } from '#contracts/http/licence.ts'
import { call } from '../api/call.ts'
import { defineTexts, translate } from '../i18n/texts.ts'
import { useLicenceReminder } from '../session/licence-store.ts'
import { type ToastOptions, toast } from '../ui/toast.ts'

const texts = defineTexts('licence-reminder', {
  warning: { zh: '警告', en: 'Warning' },
  reminder: { zh: '温馨提示', en: 'Reminder' },
  renew: { zh: '去续期', en: 'Renew' },
})
const EVERY_MS = 3_600_000
/** Local flag: "false" once the notice of an ended licence was shown (USER-04). */
const SHOWN = 'isAuthMsgShow'

let warned = false
let shown: number | undefined

/**
 * Asks for the reminder now and every hour. At 30 days or fewer a warning that stays until it is closed, once a sign-in; where the licence
 * has ended one notice, and no second one before it was valid again. `onRenew`: what its button does, for those who can renew. Answers
 * what ends it.
 */
export function remindOfLicence(onRenew: (() => void) | undefined): () => void {
  const ask = () => void refreshReminder(onRenew).catch(() => undefined)
  ask()
  const timer = setInterval(ask, EVERY_MS)
  return () => {
    clearInterval(timer)
    warned = false
  }
}

/** Asks now: after a licence was applied the notices of the earlier state go. */
export async function refreshReminder(onRenew?: () => void): Promise<void> {
  const { status, message, days } = await call(licenseRemind, {}, { quiet: true })
  useLicenceReminder.setState({ reminder: { status, message, days } })
  const options: ToastOptions = {
    ms: Number.POSITIVE_INFINITY,
    ...(onRenew && { action: { label: translate(texts, 'renew'), onPress: onRenew } }),
  }
  if (status === LICENCE_STATUS.expired) {
    if (localStorage.getItem(SHOWN) === 'false') return
    localStorage.setItem(SHOWN, 'false')
    shown = toast.warn(message, { ...options, title: translate(texts, 'reminder') })
    return
  }
  localStorage.removeItem(SHOWN)
  if (message !== '' && !warned) {
    warned = true
    shown = toast.warn(message, { ...options, title: translate(texts, 'warning') })
  } else if (message === '' && shown !== undefined) toast.close(shown)
}
