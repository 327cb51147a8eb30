import { REMIND_DAYS } from '#domain/licence.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Licence } from '../../platform/licence/open-licence.ts'
import { notify } from '../../platform/notify.ts'
import { remindMessage } from '../licence/remind-message.ts'

/** Days before the end at which those who manage the licence are notified again. */
const STEPS = [1, 7, REMIND_DAYS]

/** Notifies who manages the licence when its end is near or something is wrong with it. May be called often: each step is sent once. */
export async function tellLicence(
  meta: MetaStore,
  licence: Pick<Licence, 'status'>,
  { zone, now }: { zone: string; now: number },
): Promise<void> {
  const status = licence.status()
  const step = status.problem ?? STEPS.find((days) => status.daysLeft <= days)
  if (step === undefined) return
  const key = `licence:${status.deadline}:${step}`
  await notify(
    meta,
    {
      to: { may: 'license.manage', apps: null },
      kind: 'licence',
      key,
      state: status.problem === null ? 'warn' : 'bad',
      title: { zh: remindMessage(status, 'zh', zone), en: remindMessage(status, 'en', zone) },
      path: '/platform/authorization',
    },
    now,
  )
}
