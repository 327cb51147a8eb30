import { DEVICE_DAYS } from '#contracts/http/monitoring/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'

/** The abnormal returns behind the number of devices with pirated copies; of one certificate where it is named. */
export function abnormalPath(appid: string, certificate = ''): string {
  const query = carryQuery({
    range: `-${DEVICE_DAYS}d`,
    timeBasis: 'occurred',
    compare: 'none',
    filters: [{ field: 'app', op: 'is', values: [appid] }],
  })
  return `${PAGES.abnormal_returns.path}?${query}&kind=pirated${certificate && `&signer=${certificate}`}`
}
