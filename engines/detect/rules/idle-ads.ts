import { descriptorOf } from '../evidence/locations.ts'
import { neverRuns } from './note-unused-code.ts'
import type { CodeContext } from './rule.ts'
import type { RuleContext } from './rule-context.ts'
import { isDecided } from './unused-code.ts'

const ADS = 'Lcom/google/android/gms/ads/'
/** What other code asks of it; where these names are there, those of its calls were not shortened. */
const LOADS = [`${ADS}AdView;`, `${ADS}BaseAdView;`, `${ADS}InterstitialAd;`]
/** Names that code may give to reflection. */
const NAMED = ['MobileAds', 'AdView', 'InterstitialAd'].map((name) => `com.google.android.gms.ads.${name}`)
/** The library itself, with what it gives to other networks for ads. */
const LIBRARY = /^Lcom\/google\/(?:android\/gms|ads)\//
const LIBRARY_OF_ADS = /^Lcom\/google\/(?:android\/gms\/)?ads\//
/** The view of the first SDK, which a layout may ask to load an ad. */
const FIRST_VIEW = 'Lcom/google/ads/AdView;'

/**
 * Is AdMob in the package, with a view in a layout at most, and does nothing begin to show ads? A view loads none by itself. False where its
 * names were shortened, and where code cannot be seen.
 */
export function isIdleAdMob(context: RuleContext): boolean {
  const { program, facts } = context
  if (!program || program.classOf(FIRST_VIEW) || !isDecided(context as CodeContext)) return false
  const hasName = LOADS.some((owner) => program.classOf(owner)?.methods.some(({ name }) => name === 'loadAd'))
  if (!hasName || (facts?.components ?? []).some((one) => startsAds(one))) return false
  const isOther = (descriptor: string) => !LIBRARY.test(descriptor)
  const isHeir = [...program.classes()].some(
    ({ descriptor, superclass, interfaces }) =>
      isOther(descriptor) && [superclass, ...interfaces].some((one) => one !== null && LIBRARY_OF_ADS.test(one)),
  )
  const callers = [
    ...program.callsTo(`${ADS}*`),
    ...program.callsTo('Lcom/google/ads/*'),
    ...NAMED.flatMap((name) => program.stringUses(name)),
  ]
  return !isHeir && !callers.some(({ method }) => isOther(method.owner) && !neverRuns(context, method))
}

/** A provider or a service of AdMob begins by itself; the screen of its ads, which others cannot start, does not. */
const startsAds = ({ kind, name, exported }: NonNullable<RuleContext['facts']>['components'][number]): boolean =>
  descriptorOf(name).startsWith(ADS) && (kind !== 'activity' || exported)
