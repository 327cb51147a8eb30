type Live = { id: string; percent: number; app_versions: readonly string[]; state: string }

/**
 * What part of all devices each deployment really reaches, in percent: the same stable drawing serves all of them, so a newer one takes its
 * share first and those beneath keep what is left. `live` newest first; only deployments for all versions of the app are added up (one
 * for some versions is a share of those alone), and paused ones reach no device.
 */
export function rollOutShares(live: readonly Live[]): { id: string; percent: number }[] {
  let taken = 0
  return live
    .filter(({ app_versions, state }) => app_versions.length === 0 && state === 'running')
    .map(({ id, percent }) => {
      const part = Math.max(0, percent - taken)
      taken = Math.max(taken, percent)
      return { id, percent: part }
    })
}
