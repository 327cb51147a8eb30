import { activityAt, hourOfDay } from './activity-curve.ts'

export const SCENARIOS = ['quiet', 'normal', 'flood', 'antimeridian', 'storm-at-midnight', 'bad-device'] as const
export type Scenario = (typeof SCENARIOS)[number]

/** Events a second that the scenario wants at this moment, for a chosen mean. */
export function wantedRate(scenario: Scenario, rate: number, at: number): number {
  switch (scenario) {
    case 'quiet':
      return rate * 0.1 * activityAt(at)
    case 'flood':
      return rate * 50
    case 'storm-at-midnight':
      return rate * (isMidnight(at) ? 20 : activityAt(at))
    case 'bad-device':
      return Math.min(rate, 1)
    default:
      return rate * activityAt(at)
  }
}

/** From two minutes before to five after the platform's day changes. */
function isMidnight(at: number): boolean {
  const hour = hourOfDay(at)
  return hour >= 24 - 2 / 60 || hour < 5 / 60
}
