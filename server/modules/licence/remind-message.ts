import type { Language } from '#contracts/errors.ts'
import type { LicenceStatus } from '../../platform/licence/open-licence.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'

/** The reminder that everybody sees at sign-in: 'platform expires in N days' (USER-04), or what has ended and what follows. */
export function remindMessage(status: LicenceStatus, language: Language, zone: string): string {
  const { kind, problem, daysLeft, graceUntil } = status
  const zh = language === 'zh'
  if (problem === null) return zh ? `平台将在 ${daysLeft} 天后到期` : `platform expires in ${daysLeft} days`
  const until = zonedTime(graceUntil, zone).slice(0, 10)
  const what = {
    trial_over: zh ? '平台试用期已结束' : 'The trial of the platform is over',
    expired: zh ? '平台授权已到期' : 'The platform licence has expired',
    other_product: zh ? '平台授权与产品代码不符' : 'The platform licence is for another product code',
    other_machine: zh ? '平台授权与本机不符' : 'The platform licence is for another machine',
  }[problem]
  if (kind === 'grace')
    return zh
      ? `${what}，宽限期至 ${until}，请联系管理员续期`
      : `${what}; everything works until ${until}, please ask an administrator to renew it`
  return zh
    ? `${what}，不能新建应用与任务，接收与查看照常，请联系管理员续期`
    : `${what}: applications and tasks cannot be created, ingest and reading go on; please ask an administrator to renew it`
}
