import type { Measures } from '#domain/query.ts'
import { perThousand } from '#src/features/statistics/parts/figure-row.tsx'
import { formatNumber, formatPercent } from '#src/shared/format/number.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { AppFigure } from './app-parts.ts'
import type { appTexts } from './app-texts.ts'

type Words = Translate<keyof (typeof appTexts)['entries'] & string>
const isRate = (key: AppFigure) => key === 'crashes' || key === 'anrs' || key === 'exceptions'

function figureOf(key: AppFigure, row: Measures): number {
  if (isRate(key)) return perThousand(row[key], row.starts)
  if (key === 'attackedDevices') return row.devices ? (row.attackedDevices ?? 0) / row.devices : 0
  return row[key] ?? 0
}

function subOf(key: AppFigure, row: Measures, t: Words): string {
  const { starts = 0, devices = 0, users = 0, newUsers = 0, newDevices = 0, attacks = 0, attackedDevices = 0 } = row
  const both = (all: number, fresh: number) => ({
    fresh: formatNumber(fresh),
    back: formatNumber(Math.max(0, all - fresh)),
  })
  switch (key) {
    case 'starts':
      return t('startsSub', { number: devices > 0 ? (starts / devices).toFixed(1) : '–' })
    case 'users':
      return t('usersSub', both(users, newUsers))
    case 'devices':
      return t('devicesSub', both(devices, newDevices))
    case 'newDevices':
      return t('newDevicesSub', { share: formatPercent(devices > 0 ? newDevices / devices : 0) })
    case 'attackedDevices':
      return t('riskSub', { devices: formatNumber(attackedDevices), attacks: formatNumber(attacks) })
    default:
      return t(starts > 0 ? 'rateSub' : 'noStarts', { number: formatNumber(row[key] ?? 0) })
  }
}

/** One of the eight figures of the application; rates and shares replace the plain count. */
export function appFigure(key: AppFigure, row: Measures, before: Measures | undefined, t: Words) {
  return {
    label: t(key),
    value: figureOf(key, row),
    before: before && figureOf(key, before),
    bad: isRate(key) || key === 'attackedDevices',
    ...(isRate(key) ? { as: 'rate' as const } : key === 'attackedDevices' ? { as: 'share' as const } : {}),
    sub: subOf(key, row, t),
  }
}
